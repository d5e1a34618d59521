// Package machine tests a bounding layer as a state machine: commands in random order, and after each of them what must be
// true of every state.
//
// A [Machine] generates sequences of commands with gopter's package commands. A command is a few bytes, which mean one or
// more steps in the state that they meet, as [scenario.Scenario.Next] decodes them: a call, a message of parallel calls, a
// checkpoint, a page of an artifact, a crash. There is no command that a state forbids, so that every sequence can be
// shortened anywhere. A sequence that fails is shrunk, first by gopter and then as a scenario, and is reported as a script.
//
// The model of the session is small: how many texts, messages and results there are, which of them were sent, what each
// locator stands for, and in what form each result is. It is told the inputs only, and is compared with what the subject
// makes of them:
//
//   - A call, and every later pass, gives a result of that call, within the bound of its tool, and whole or not, but not both.
//   - A message holds its calls in their order, and is within the batch budget.
//   - Only a checkpoint that reports a firing changes what is in the history. It changes no pending result, makes nothing
//     longer, and brings nothing back. What is before the first result that it clears stays as it is.
//   - A locator stands for the text of one call or save, and for the whole of it, until time or a crash takes it.
//
// These are the cheap ones of the invariants, stated anew: package invariants, which judges with all of them, is not used
// here, and takes the command sequences as scenarios of its own.
package machine
