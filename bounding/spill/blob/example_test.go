package blob_test

import (
	"context"
	"fmt"
	"log"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/spill/blob"
)

func Example() {
	ctx := context.Background()
	store, err := blob.Open(ctx, "mem://", blob.WithHint("Read it with read_artifact."))
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	ref, err := store.Save(ctx, spill.Request{
		Owner: "session 1", Source: spill.Tool{Name: "ls", CallID: "call_1", Label: "result"},
		SuggestedName: "ls.txt", Content: "a.go\nb.go\n",
	})
	if err != nil {
		log.Fatal(err)
	}
	page, err := spill.ReadPage(ctx, store, ref.Locator, 5, 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Text, page.Next, page.Total)
	fmt.Println(spill.Verify(ctx, store, ref))
	// Output:
	// b.go 9 10
	// <nil>
}
