// Package scenario is the one form in which every engine says what it did: limits, and steps in order.
//
// A scenario has three forms that say the same. In a program it is a [Scenario]. In a file it is a script, which [Parse]
// reads and [Format] writes:
//
//	# results of 25.5K, each checked while it is pending
//	limits strict
//	repeat 167
//	  call a shell 25500*x
//	  batch
//	  checkpoint before-tool-turn
//	  commit
//	end
//	holds CLR-2 PFX-5
//
// For generators and fuzzers it is a string of bytes: [FromBytes] makes a scenario of any, and Bytes writes it back.
//
// # Scripts
//
// A line is one step; its first word says which. A text with other characters than letters, digits and _-./ stands in
// quotes, as in Go. Comments begin with #.
//
//	limits [strict|scaled|roomy|qwen] [FIELD=VALUE]    first, or later as a step: what holds from there on
//	tool NAME [budget=N] [keep=both|head|tail] [exempt=true] [fixed=true] [file=reads|edits|writes]
//	no-tool NAME, alias NAME TOOL, no-alias NAME     after limits, which they change
//	call ID TOOL PAYLOAD [OPTIONS]               a call of the open message brings its output
//	tighten N                                    a later pass over the result of the N-th call, counted from 0
//	batch [order=1,0]                            the message is complete, and pending in the history
//	commit                                       everything in the history was sent
//	user PAYLOAD [media=N]
//	checkpoint [OCCASION] [gap=DURATION]         old results may be cleared; without an occasion, before-tool-turn
//	save ID TOOL PAYLOAD [session=ID]            a text for the store
//	read N [offset=BYTES] [limit=BYTES], page N  a page, or all pages, of the artifact of the N-th call or save
//	reference [budget=BYTES]                     with source ID LABEL and event KIND PAYLOAD on the lines after it
//	replay, diagnose, cancel, fault "PROGRAM", crash survive=PERCENT [seed=N], advance DURATION, sweep DURATION,
//	plant session|artifact                       somebody puts a link where the store will look
//	repeat N … end                               the lines between, N times
//	repeat N STEP ; STEP                         the same in one line
//
// In a repeat, $i outside of quotes is which repetition it is, counted from 0, as in call r$i. Short forms are idle DURATION
// for checkpoint before-query gap=DURATION, force for checkpoint on-demand, and reopen for crash survive=100.
//
// A payload is made of pieces with + between them: 25500*x, 10*"😀"+"\n". Texts that would be hard to read have names,
// such as @placeholder, which are those of [Units]. A script may be a txtar archive; then file:NAME is the text of one of its
// files. Every text can be written: what Go's quotes can hold, a line can hold.
//
// # Expectations
//
// A line
//
//	holds BND-1 CLR-2
//
// says that the scenario shows nothing that speaks against these invariants, and
//
//	violates CLR-4
//
// that it shows that CLR-4 does not hold. Counterexamples end with such a line, so that a script is met by the subject that
// it was found with as long as the fault is there. [Parse] keeps expectations apart from the steps, with their lines; they
// are judged by Replay of package invariants.
//
// # Bytes
//
// What [FromBytes] makes is bounded, by [MaxSteps] and [MaxPayload]; what is beyond cannot be written by Bytes. A byte below
// 200 is a choice, so that short strings of bytes make scenarios that are worth running; larger ones announce a value in
// full, so that every scenario can be written. [Scenario.Classes] names what is in a scenario, for tests of generators.
package scenario
