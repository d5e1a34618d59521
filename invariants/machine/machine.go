package machine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// Machine says what is tested, and how long.
type Machine struct {
	// New returns a subject that nothing has used.
	New func() (subject.Bounder, error)
	// Seed decides which sequences there are.
	Seed int64
	// Sequences is how many there are; they grow up to Length commands.
	Sequences, Length int
	// Timeout is for one step, as package trace has it.
	Timeout time.Duration
}

// Failure is a sequence of commands after which something was not so.
type Failure struct {
	Problem  string
	Scenario scenario.Scenario // the smallest one that was found
	Script   string
}

func (f *Failure) Error() string { return fmt.Sprintf("machine: %s\n%s", f.Problem, f.Script) }

// Check runs the sequences. The error is a [*Failure], or says why the subject could not be tested.
func (m Machine) Check(ctx context.Context) error {
	b := &bench{machine: m, ctx: ctx}
	result := commands.Prop(b.commands(func(l bounding.Limits) system { return b.live(l) })).Check(m.parameters())
	if b.err != nil {
		return fmt.Errorf("machine: %w", b.err)
	}
	if result.Passed() {
		return nil
	}
	if b.failed == nil {
		return fmt.Errorf("machine: gopter: %s: %w", result.Status, errors.Join(result.Error, errors.New("no sequence failed")))
	}
	return m.failure(ctx, *b.failed)
}

// failure shrinks a scenario that fails, and runs what is left once more for its problem.
func (m Machine) failure(ctx context.Context, s scenario.Scenario) error {
	small := scenario.Shrink(s, func(candidate scenario.Scenario) bool {
		problem, err := m.Try(ctx, candidate)
		return err == nil && problem != ""
	})
	problem, err := m.Try(ctx, small)
	if err != nil {
		return fmt.Errorf("machine: %w", err)
	}
	if problem == "" {
		problem = "what failed does not fail again: the subject is not deterministic"
	}
	return &Failure{Problem: problem, Scenario: small, Script: scenario.Script{Comment: problem, Scenario: small}.Format()}
}

// Try runs one scenario and returns what was not so, "" if all was as it must be.
func (m Machine) Try(ctx context.Context, s scenario.Scenario) (string, error) {
	live, err := m.begin(ctx, s.Limits)
	if err != nil {
		return "", err
	}
	for _, step := range s.Steps {
		if live.do(step); live.problem != "" {
			break
		}
	}
	return live.problem, live.end()
}

func (m Machine) parameters() *gopter.TestParameters {
	p := gopter.DefaultTestParametersWithSeed(m.Seed)
	p.MinSuccessfulTests, p.MaxSize = m.Sequences, m.Length+1
	p.MaxShrinkCount = 100
	return p
}

// Scenarios yields the sequences as scenarios, without a subject.
func (m Machine) Scenarios() iter.Seq[scenario.Scenario] {
	return func(yield func(scenario.Scenario) bool) {
		b := &bench{machine: m}
		var all []scenario.Scenario
		commands.Prop(b.commands(func(l bounding.Limits) system {
			return &recorder{scenario: scenario.Scenario{Limits: l}, done: func(s scenario.Scenario) { all = append(all, s) }}
		})).Check(m.parameters())
		for _, s := range all {
			if !yield(s) {
				return
			}
		}
	}
}

// system is what commands run on: a subject with its model, or nothing at all.
type system interface {
	// run does the steps that a command means now, and returns what was not so.
	run(c command) string
	end() error
}

// recorder only notes what would be done.
type recorder struct {
	scenario scenario.Scenario
	done     func(scenario.Scenario)
}

func (r *recorder) run(c command) string {
	r.scenario = c.after(r.scenario)
	return ""
}

func (r *recorder) end() error {
	r.done(r.scenario)
	return nil
}

// bench is what one check needs.
type bench struct {
	machine Machine
	ctx     context.Context
	failed  *scenario.Scenario
	err     error // no subject
}

func (b *bench) live(l bounding.Limits) system {
	live, err := b.machine.begin(b.ctx, l)
	if err != nil {
		b.err = errors.Join(b.err, err)
		return &recorder{done: func(scenario.Scenario) {}}
	}
	live.failed = func(s scenario.Scenario) { b.failed = &s }
	return live
}

// commands describes the machine to gopter. Its state is the scenario so far.
func (b *bench) commands(system func(l bounding.Limits) system) commands.Commands {
	return &commands.ProtoCommands{
		NewSystemUnderTestFunc: func(initial commands.State) commands.SystemUnderTest {
			return system(initial.(scenario.Scenario).Limits)
		},
		DestroySystemUnderTestFunc: func(sut commands.SystemUnderTest) {
			if err := sut.(interface{ end() error }).end(); err != nil {
				b.err = errors.Join(b.err, err)
			}
		},
		InitialStateGen: gen.IntRange(0, len(scenario.Bases())-1).Map(func(i int) scenario.Scenario {
			return scenario.Scenario{Limits: scenario.Bases()[i]}
		}),
		GenCommandFunc: func(commands.State) gopter.Gen { return genCommand },
	}
}

// command is a few bytes that mean steps.
type command []byte

// commandBytes are enough for the longest turn of which something is chosen.
const commandBytes = 16

var genCommand gopter.Gen = func(p *gopter.GenParameters) *gopter.GenResult {
	c := make(command, commandBytes)
	for i := range c {
		if c[i] = byte(p.Rng.Intn(128)); p.Rng.Intn(16) == 0 {
			c[i] = byte(p.Rng.Intn(256))
		}
	}
	return gopter.NewGenResult(commands.Command(c), shrinkCommand)
}

// shrinkCommand takes choices back, one after the other.
func shrinkCommand(v any) gopter.Shrink {
	c, i := v.(command), -1
	return func() (any, bool) {
		for i++; i < len(c); i++ {
			if c[i] != 0 {
				smaller := slices.Clone(c)
				smaller[i] = 0
				return commands.Command(smaller), true
			}
		}
		return nil, false
	}
}

// after is the scenario with the steps that the command means there.
func (c command) after(s scenario.Scenario) scenario.Scenario {
	s.Steps = append(slices.Clip(s.Steps), s.Next(c)...)
	return s
}

func (c command) Run(sut commands.SystemUnderTest) commands.Result { return sut.(system).run(c) }

func (c command) NextState(state commands.State) commands.State {
	return c.after(state.(scenario.Scenario))
}

func (c command) PreCondition(commands.State) bool { return true }

func (c command) PostCondition(_ commands.State, result commands.Result) *gopter.PropResult {
	if problem := result.(string); problem != "" {
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{problem}}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

func (c command) String() string { return fmt.Sprintf("%x", []byte(c)) }

// live is a subject with the model of its session.
type live struct {
	scenario scenario.Scenario
	subject  subject.Bounder
	stepper  *trace.Stepper
	model    model
	problem  string
	broken   bool
	failed   func(scenario.Scenario)
}

func (m Machine) begin(ctx context.Context, l bounding.Limits) (*live, error) {
	s, err := m.New()
	if err != nil {
		return nil, fmt.Errorf("new subject: %w", err)
	}
	return &live{
		scenario: scenario.Scenario{Limits: l}, subject: s, stepper: trace.Begin(ctx, s, l, m.Timeout), model: newModel(l),
		failed: func(scenario.Scenario) {},
	}, nil
}

func (l *live) run(c command) string {
	if l.problem != "" {
		return l.problem
	}
	for _, step := range l.scenario.Next(c) {
		if l.do(step); l.problem != "" {
			l.failed(l.scenario)
			break
		}
	}
	return l.problem
}

func (l *live) do(step scenario.Step) {
	l.scenario.Steps = append(l.scenario.Steps, step)
	e := l.stepper.Do(step)
	if l.broken = e.Broken != nil; l.broken {
		l.problem = fmt.Sprintf("step %d, a %s: %s: %.200s", e.Step, step.Op, e.Broken.Kind, e.Broken.Detail)
		return
	}
	if problem := l.model.step(step, e); problem != "" {
		l.problem = fmt.Sprintf("step %d, a %s: %s", e.Step, step.Op, problem)
	}
}

// end closes the subject, unless it may be at work still.
func (l *live) end() error {
	if c, ok := l.subject.(subject.Closer); ok && !l.broken {
		return c.Close()
	}
	return nil
}
