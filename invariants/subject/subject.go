package subject

import (
	"context"
	"errors"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/spill"
)

// ErrUnsupported is what a subject returns, wrapped or not, for what it never does. The case is skipped.
var ErrUnsupported = errors.New("unsupported")

// ErrIndefinite is what a subject returns, wrapped, when it does not know whether what it was asked has happened: an answer
// was lost, say. The checks then accept both.
var ErrIndefinite = errors.New("it is not known whether it was done")

// Bounder bounds one output, before it enters the history.
type Bounder interface {
	Bound(ctx context.Context, l bounding.Limits, out bounding.Output) (Result, error)
}

// Tightener makes a later pass over a result that it bounded before, under the same limits or others. A subject that has
// no such pass is not asked for what must hold after it.
type Tightener interface {
	Tighten(ctx context.Context, l bounding.Limits, r Result) (Result, error)
}

// Batcher brings the results of one message within the batch budget, once all of its calls are complete. It returns as many
// results as it is given, in the same order.
type Batcher interface {
	Batch(ctx context.Context, l bounding.Limits, results []Result) ([]Result, error)
}

// Clearer clears old results of a history at a checkpoint. The report is nil when no path fired. The history given must
// stay as it is.
type Clearer interface {
	Clear(ctx context.Context, l bounding.Limits, h History, at bounding.Checkpoint) (History, *ClearReport, error)
}

// Planner is the decision of a [Clearer] on plain numbers. It is optional even for subjects that clear: with it, the small
// histories are searched at a million a second.
type Planner interface {
	Plan(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan
}

// Spiller keeps texts that do not fit into the history.
type Spiller interface {
	// Save keeps a text. That there was no room, or no disk, is an outcome and not an error.
	Save(ctx context.Context, l bounding.Limits, req spill.Request) (Saved, error)
	// Open reads at most limit bytes of an artifact, from an offset. What it returns are bytes, cut at rune borders.
	Open(ctx context.Context, locator string, offset, limit int64) (Page, error)
	// List returns the artifacts of a session.
	List(ctx context.Context, session string) ([]Stored, error)
}

// Reader opens artifacts on behalf of a session, and refuses those of others that it was not granted.
type Reader interface {
	OpenAs(ctx context.Context, session, locator string, offset, limit int64) (Page, error)
	Grant(ctx context.Context, session, locator string) error
}

// Files tells what files a [Spiller] has made, so that names and modes can be looked at.
type Files interface {
	Files() ([]File, error)
}

// File is a file or a directory.
type File struct {
	Path string // below the root of the store, with slashes; what is elsewhere begins with ../
	Mode uint32 // the nine bits
	Dir  bool
}

// Referencer shows the model what was said in other sessions.
type Referencer interface {
	Reference(ctx context.Context, req ReferenceRequest) (References, error)
}

// Replayer shows recorded references again.
type Replayer interface {
	Replay(ctx context.Context, recorded []byte) (References, error)
}

// Doctor diagnoses a history.
type Doctor interface {
	Diagnose(ctx context.Context, l bounding.Limits, h History) (Diagnosis, error)
}

// Reopener ends the subject as a process ends and begins it anew over what it had stored.
type Reopener interface {
	Reopen(ctx context.Context, loss Loss) error
}

// Faulter makes the storage of a subject fail, as a program of package faultfs says. An empty program ends all faults.
type Faulter interface {
	Fault(ctx context.Context, program string) error
}

// Clock moves the time of a subject on.
type Clock interface {
	Advance(ctx context.Context, d time.Duration) error
}

// Sweeper removes artifacts that are older than an age.
type Sweeper interface {
	Sweep(ctx context.Context, age time.Duration) error
}

// Planter is a subject in whose store somebody else can put links: for the directory of the session of scenarios, or for
// each name that stands in it. They lead to places outside of the store, which Files then lists with what is in them.
type Planter interface {
	Plant(ctx context.Context, place string) error
}

// Logger tells what a subject has written to its logs and traces so far.
type Logger interface {
	Log() string
}

// Closer releases what a subject holds. It is called once, at the end of its case.
type Closer interface {
	Close() error
}

// Loss says what a crash spares.
type Loss struct {
	// Survive is the share of unsynced data that is still there, in percent: 100 is a process that was killed, 0 a machine
	// that lost its power at the worst moment.
	Survive int `json:"survive"`
	// Seed chooses which data it is.
	Seed uint64 `json:"seed"`
}
