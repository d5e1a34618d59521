package bounding

import (
	"context"
	"slices"
	"strings"
)

// Import takes a result out of a recorded history, where the text is all that is left of it: the text of the entry, or its
// parts, or body and metadata by themselves. A text is taken for one that was bounded before only if the whole of it has
// the form that a pipeline gives it and the artifact that it names holds what the form says: the size, the digest, and both
// ends of the preview. Then its notice keeps the counts of the first original, also in a policy with another unit. What
// follows such a form after a blank line is the metadata, which may be a form itself. Anything else is raw output, and goes
// through Bound: that holds for what lost its original when it was cut, because nothing proves it.
//
// In either case every bound applies.
//
// spec: OFF-5, OFF-6
func (p *Pipeline) Import(ctx context.Context, out Output) Result {
	r := p.newResult(&out)
	texts, flat := []string{out.Text}, out.flatten()
	if flat != nil {
		texts = nil
		for _, part := range flat {
			if part.Media == nil {
				texts = append(texts, part.Text)
			}
		}
		if _, r.media = split(flat); len(texts) == 0 {
			texts = []string{""}
		}
	}
	var metadata []string
	if body, ok := p.recognise(ctx, texts[0], outputText); ok {
		r.body, r.state = body.piece, Trimmed
		if kept := r.unit.Count(r.body.head) + r.unit.Count(r.body.tail); kept <= p.limits.Preview &&
			over(r.body.total.In(r.unit), p.limits.gate()) {
			r.state = Stubbed
		}
		metadata = behind(body.rest, texts[1:])
	} else if placeholder, rest, ok := p.placeholder(ctx, texts[0]); ok && (rest == "" || placeholder.outcome == Saved) {
		r.body, r.state = placeholder, Cleared
		metadata = behind(rest, texts[1:])
	} else {
		last := texts[len(texts)-1]
		if at := p.contextIn(ctx, last); at >= 0 {
			metadata = []string{last[at:]}
			last = strings.TrimSuffix(last[:at], metadataBreak)
			if out.Text = last; flat != nil {
				flat = withLastText(flat, last)
			}
		}
		r.fill(out.Text, flat)
	}
	r.meta = p.recordedMetadata(ctx, append(metadata, out.Metadata...))
	if r.state == Raw {
		p.pass(ctx, &r)
		return r
	}
	p.transition(ctx, &r, Raw, r.Size(), WithinBounds)
	return p.Tighten(ctx, r)
}

// withLastText replaces the last text of flat parts, a list that belongs to this import.
func withLastText(flat []Part, s string) []Part {
	for i := len(flat) - 1; i >= 0; i-- {
		if flat[i].Media == nil {
			if flat[i].Text = s; s == "" {
				return slices.Delete(flat, i, i+1)
			}
			break
		}
	}
	return flat
}

// behind lists what a recorded entry shows after its body.
func behind(rest string, parts []string) []string {
	if rest != "" {
		parts = append([]string{strings.TrimPrefix(rest, metadataBreak)}, parts...)
	}
	return parts
}

// maxForms is at how many places of one text the notice of a context is looked for, since each look may open an artifact.
const maxForms = 16

// contextIn returns where the metadata of a recorded entry with a whole body begins, if it was shortened: it is the last of
// the text. Metadata that is whole as well cannot be told from the body.
func (p *Pipeline) contextIn(ctx context.Context, s string) int {
	lead := strings.Replace(leadSaved, "%s", contextText, 1)
	at := 0
	for range maxForms {
		if at > 0 || !strings.HasPrefix(s, lead) {
			i := strings.Index(s[at:], metadataBreak+lead)
			if i < 0 {
				return -1
			}
			at += i + len(metadataBreak)
		}
		if form, ok := p.recognise(ctx, s[at:], contextText); ok && form.rest == "" {
			return at
		}
		at++
	}
	return -1
}

// recordedMetadata makes one piece of the metadata of a recorded entry. With more text beside it, metadata that was
// shortened before is taken back to its original, so that one notice will stand for all of it.
func (p *Pipeline) recordedMetadata(ctx context.Context, metadata []string) piece {
	if len(metadata) == 0 {
		return piece{}
	}
	originals := make([]string, len(metadata))
	for i, s := range metadata {
		originals[i] = s
		if form, ok := p.recognise(ctx, s, contextText); ok && form.rest == "" {
			if len(metadata) == 1 {
				return form.piece
			}
			originals[i] = form.original
		}
	}
	return fresh(p.limits.Unit, strings.Join(originals, metadataBreak))
}
