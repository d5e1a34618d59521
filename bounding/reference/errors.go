package reference

// Code is the reason for which a preparation failed. It is an error itself, wrapped by what [Preparer.Prepare] returns, so
// that errors.Is(err, reference.BudgetExceeded) tells what happened, and errors.As finds the name to report to a client.
type Code string

// The reasons. A failure of any of these kinds publishes nothing.
const (
	InvalidConfig    Code = "SESSION_REFERENCE_INVALID_CONFIG"    // [Limits] or the arguments of [New] make no sense
	InvalidReference Code = "SESSION_REFERENCE_INVALID_REFERENCE" // a citation names no session
	SelfReference    Code = "SESSION_REFERENCE_SELF_REFERENCE"    // a session cites itself
	TooMany          Code = "SESSION_REFERENCE_TOO_MANY"          // more distinct sessions than Limits.References
	ReadFailed       Code = "SESSION_REFERENCE_READ_FAILED"       // the source could not be read
	BudgetExceeded   Code = "SESSION_REFERENCE_BUDGET_EXCEEDED"   // a preview does not fit even without any text
	Cancelled        Code = "SESSION_REFERENCE_CANCELLED"         // the context ended
)

func (c Code) Error() string { return string(c) }
