// Package model holds what the engine knows about code that it does not read: the standard library, the SDKs of
// model vendors, agent frameworks and other libraries. The knowledge is data, in *.model files, and this page is
// their reference. The files that come with the program are in the folder models; the flag -model adds your own,
// in the same format. All rules that match a declaration apply, in whatever file they stand.
//
// # A file
//
// A model file is read line by line. "#" at the beginning of a word starts a comment. A package line says which
// package the lines after it are about; every other line is one rule:
//
//	package os/exec
//	source process Cmd.Output -> result0        # what the command printed
//	attach process field Cmd.Stdout
//
//	package .../anthropic-sdk-go
//	sink BC1001 NewToolResultBlock content      # the parameter "content" enters the conversation
//	history MessageParam
//
//	package example.com/acme/agent
//	bound Shorten text -> result0 by max
//	tool BC1002 Register handler
//
// # Packages
//
// A package is named by its import path without major version: example.com/acme/agent stands for
// example.com/acme/agent/v2, and gopkg.in/yaml for gopkg.in/yaml.v3. A version that is written is dropped. In a
// path "..." stands for anything, also for nothing, so that .../openai-go finds forks, and "*" for an element of the
// path or a part of one. One package line may have several paths; its rules are then about each of them.
//
// # Subjects
//
// After the word that begins a rule, and after its kind or code if it has one, stands what the rule is about:
//
//	ReadFile              a function
//	Cmd.Output            a method; (*Cmd).Output means the same, and so does a method of an interface
//	*.Close               a method of that name of any type of the package
//	field Cmd.Stdout      a field
//	MessageParam          a type, only after history
//
// Type parameters are left out, or are dropped if written. Several subjects are joined by commas without spaces:
// "clean Getwd,Hostname". A subject that a version of a package does not have does no harm, nor does a place.
//
// # Places
//
// A place is a position in a call:
//
//	content               the parameter of that name, without regard to case
//	arg:content           the same, for a name that means something else here, such as "by" or "recv"
//	arg1                  a parameter by its number, from 0, for one that has no name
//	arg*                  every parameter
//	result0               a result by its number
//	result:text           a result by its name
//	result*               every result
//	recv                  the receiver
//	recv.Body             only that field of the value at the place; after any of the above
//
// Prefer names: parameters move between versions more often than they are renamed. A variadic parameter is one place.
//
// # Rules
//
//	source KIND F -> OUT...       the places carry output of that kind: results, or parameters that are filled in.
//	                              A result that is a reader delivers it when it is read. If the place is a
//	                              function value, its parameters receive the output, any number of times.
//	source KIND field T.F         every load of the field does
//	attach KIND field T.F         a writer stored in the field receives output
//	attach KIND F IN...           a writer passed there receives output
//	sink CODE F IN...             what is passed there is reported with that code if it has no bound. What comes
//	                              out of the call carries nothing more: it was reported here.
//	sink CODE field T.F           what is stored in the field is, and the value that has the field is not reported
//	                              for it a second time
//	tool CODE F IN...             a function passed there is a tool, and what it returns is a sink. A value passed
//	                              there that has several functions is a tool with each of them.
//	tool CODE field T.F           a function stored in the field is a tool
//	method CODE T.M               the method M of a type that implements the interface T is a tool. M need not be one
//	                              of T's own methods: some frameworks look for it at run time.
//	history T                     values of the type are a conversation, or elements of one
//	history field T.F             the field holds a conversation
//	bound F [IN...] [-> OUT...] [by PLACE...] [limit N]
//	                              the places after "->" (every result if there are none) are what stands before it,
//	                              cut: to the number at "by", or to its length if it is a buffer, or to N bytes
//	bound field T.F [by F2...] [limit N]
//	                              what the field holds is cut; F2 is another field of T
//	guard F IN...                 the call measures IN, as len does: a comparison of the result, or of its length, with
//	                              a limit is a guard
//	clean F [-> OUT...]           the places (every result if there are none) never carry output
//	clean field T.F               nor does the field
//	flow F IN... -> OUT...        what is at IN is found again at OUT, and nothing else comes out. A result on the
//	                              left is a writer: what is written to it comes out at OUT.
//
// The kinds of output are process, file, http, mcp, database, kubernetes, ssh, browser, remote (anything else that
// comes over a network) and tool (what another tool returned). The codes are BC1001 for an entry of a history,
// BC1002 for the return of a tool function, BC1003 for the output of an MCP server, BC1004 for error text and BC1005
// for the text of a prompt.
//
// Rules add up. A place that one rule calls a source and another a bound carries output that is bounded; only clean
// excludes the others. A call of which no rule speaks is not modelled, and the engine says what it does then.
//
// # Errors
//
// A wrong line is reported as "file:line: sentence", with the wrong word and what may stand there. All wrong lines
// of a file are reported, and none of its rules is used.
package model
