package text_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/text"
)

func ExampleUnit_Count() {
	s := "😀 déjà\n"
	fmt.Println(text.UTF16.Count(s), text.Bytes.Count(s), text.Runes.Count(s))
	// Output: 8 12 7
}

func ExampleUnit_Prefix() {
	s := "\x1b[31mred\x1b[0m"
	fmt.Printf("%q\n", text.UTF16.Prefix(s, 7))
	fmt.Printf("%q\n", text.UTF16.Prefix(s, 4)) // the colour does not fit as a whole
	// Output:
	// "\x1b[31mre"
	// ""
}

func ExampleSelect() {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "step %d\n", i)
	}
	sel := text.Select(b.String(), text.Both.Options(text.UTF16, 50, 0))
	fmt.Printf("%s… %d characters in %d lines omitted …\n%s", sel.Head, sel.Omitted.UTF16, sel.Omitted.Lines, sel.Tail)
	// Output:
	// step 0
	// … 743 characters in 94 lines omitted …
	// step 95
	// step 96
	// step 97
	// step 98
	// step 99
}

func ExampleRetainer() {
	output := strings.NewReader("$ make\n" + strings.Repeat("cc -c file.c\n", 1_000_000) + "make: error 2\n")

	r := text.NewRetainer(text.Both.Options(text.Bytes, 100, 4))
	if _, err := io.Copy(r, output); err != nil {
		fmt.Println(err)
		return
	}
	sel := r.Selection()
	fmt.Print(sel.Join(fmt.Sprintf("[%d of %d lines omitted]\n", sel.Omitted.Lines, sel.Total.Lines)))
	// Output:
	// $ make
	// [999998 of 1000002 lines omitted]
	// cc -c file.c
	// cc -c file.c
	// make: error 2
}

func ExampleNotice_Fit() {
	n := text.Notice{Lead: "Full output: ", Pointer: "/spill/8c1f.txt", Rest: " (4711 bytes)"}
	for _, budget := range []int{60, 34, 20, 6} {
		fmt.Println(n.Fit(text.UTF16, budget))
	}
	// Output:
	// Full output: /spill/8c1f.txt (4711 bytes)
	// Full output: /spill/8c1f.txt (4711
	// put: /spill/8c1f.txt
	// /spill
}
