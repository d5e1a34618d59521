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
//	checkpoint OCCASION [gap=DURATION]           old results may be cleared
//	save ID TOOL PAYLOAD [session=ID]            a text for the store
//	read N [offset=BYTES] [limit=BYTES], page N  a page, or all pages, of the artifact of the N-th call or save
//	reference [budget=BYTES]                     with source ID LABEL and event KIND PAYLOAD on the lines after it
//	replay, diagnose, cancel, fault "PROGRAM", crash survive=PERCENT [seed=N], advance DURATION, sweep DURATION,
//	plant session|artifact                       somebody puts a link where the store will look
//	repeat N … end                               the lines between, N times
//
// A payload is made of pieces with + between them: 25500*x, 10*"😀"+"\n". Texts that would be hard to read have names,
// such as @placeholder, which are those of [Units]. In a txtar archive, file:NAME is the text of a file.
//
// Lines that begin with holds or violates are expectations: the scenario shows that the invariants hold or do not.
package scenario
