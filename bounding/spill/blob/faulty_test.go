package blob_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	cdk "gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"
)

var errFault = errors.New("the service is unwell")

// faulty is a driver on top of a bucket that works. Its faults are set before it is used, or through its atomics.
type faulty struct {
	driver.Bucket // nil: what is not overridden is not used
	b             *cdk.Bucket

	failAt   int64 // the operation that fails, counted from 1; 0 is none
	failOn   bool  // all later ones fail, too
	ops      atomic.Int64
	cutOff   atomic.Bool            // nothing works
	onClose  func(key string) fault // of a write
	late     time.Duration          // until an object is listed
	stall    chan struct{}          // writes of artifacts wait until their context ends; closed when the first does
	beforeUp func(key string)       // called before an object appears
	bytes    atomic.Int64           // that were read
	reads    atomic.Int64           // requests that read
	watch    func(op, key string)   // told of every operation
	stalled  sync.Once
}

type fault int

const (
	none       fault = iota
	lost             // fails, and the object is not there
	lostAnswer       // fails, and the object is there
	truncated        // succeeds, and a byte is missing
)

func (f *faulty) op(op, key string) error {
	if f.watch != nil {
		f.watch(op, key)
	}
	n := f.ops.Add(1)
	if f.cutOff.Load() || f.failAt > 0 && (n == f.failAt || f.failOn && n > f.failAt) {
		return errFault
	}
	return nil
}

func (f *faulty) ErrorCode(err error) gcerrors.ErrorCode { return gcerrors.Code(err) }
func (f *faulty) As(any) bool                            { return false }
func (f *faulty) ErrorAs(error, any) bool                { return false }
func (f *faulty) Close() error                           { return nil }

func (f *faulty) Attributes(ctx context.Context, key string) (*driver.Attributes, error) {
	if err := f.op("attributes", key); err != nil {
		return nil, err
	}
	a, err := f.b.Attributes(ctx, key)
	if err != nil {
		return nil, err
	}
	return &driver.Attributes{Size: a.Size, ModTime: a.ModTime}, nil
}

func (f *faulty) ListPaged(ctx context.Context, o *driver.ListOptions) (*driver.ListPage, error) {
	if err := f.op("list", o.Prefix); err != nil {
		return nil, err
	}
	token := o.PageToken
	if len(token) == 0 {
		token = cdk.FirstPageToken
	}
	objects, next, err := f.b.ListPage(ctx, token, 100, &cdk.ListOptions{Prefix: o.Prefix})
	page := &driver.ListPage{NextPageToken: next}
	for _, object := range objects {
		if time.Since(object.ModTime) >= f.late {
			page.Objects = append(page.Objects, &driver.ListObject{Key: object.Key, ModTime: object.ModTime, Size: object.Size})
		}
	}
	return page, err
}

func (f *faulty) Delete(ctx context.Context, key string, _ *driver.DeleteOptions) error {
	if err := f.op("delete", key); err != nil {
		return err
	}
	return f.b.Delete(ctx, key)
}

func (f *faulty) NewRangeReader(ctx context.Context, key string, offset, length int64, _ *driver.ReaderOptions) (driver.Reader, error) {
	if err := f.op("read", key); err != nil {
		return nil, err
	}
	f.reads.Add(1)
	r, err := f.b.NewRangeReader(ctx, key, offset, length, nil)
	return &faultyReader{r, f}, err
}

type faultyReader struct {
	*cdk.Reader
	f *faulty
}

func (r *faultyReader) Attributes() *driver.ReaderAttributes {
	return &driver.ReaderAttributes{Size: r.Size(), ModTime: r.ModTime()}
}

func (r *faultyReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.f.bytes.Add(int64(n))
	return n, err
}

func (f *faulty) NewTypedWriter(ctx context.Context, key, _ string, o *driver.WriterOptions) (driver.Writer, error) {
	if err := f.op("create", key); err != nil {
		return nil, err
	}
	return &faultyWriter{f: f, ctx: ctx, key: key, exclusive: o.IfNotExist}, nil
}

type faultyWriter struct {
	f         *faulty
	ctx       context.Context
	key       string
	exclusive bool
	content   strings.Builder
}

func (w *faultyWriter) Write(p []byte) (int, error) {
	if w.f.stall != nil && strings.HasPrefix(w.key, "session-") {
		w.f.stalled.Do(func() { close(w.f.stall) })
		<-w.ctx.Done()
		return 0, w.ctx.Err()
	}
	if err := w.f.op("write", w.key); err != nil {
		n, _ := w.content.Write(p[:len(p)/2])
		return n, err
	}
	return w.content.Write(p)
}

func (w *faultyWriter) Close() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.f.beforeUp != nil {
		w.f.beforeUp(w.key)
	}
	if err := w.f.op("close", w.key); err != nil {
		return err
	}
	f := none
	if w.f.onClose != nil {
		f = w.f.onClose(w.key)
	}
	content := w.content.String()
	switch f {
	case lost:
		return errFault
	case truncated:
		content = content[:len(content)-1]
	}
	up, err := w.f.b.NewWriter(w.ctx, w.key, &cdk.WriterOptions{IfNotExist: w.exclusive, ContentType: "text/plain"})
	if err != nil {
		return err
	}
	if _, err := io.WriteString(up, content); err != nil {
		return err
	}
	if err := up.Close(); err != nil {
		return err
	}
	if f == lostAnswer {
		return errFault
	}
	return nil
}
