package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/blob/memblob"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// Open returns the store at a URL: mem:// is one in memory, empty each time it is opened, and file:///path one in a
// directory. With ?prefix=a/b/ all keys begin with a/b/. Package clouds opens s3://, gs:// and azblob:// URLs, too.
// Close releases the bucket.
//
// The file driver writes files that everybody may read and does not say when they are on the disk. So the directory must
// be the user's own and closed to everybody else, checked as [spill.NewLocal] checks it, and is made that way when it is
// not there; artifacts get mode 0600 before they have content. After a power failure, one may be missing, empty or short
// all the same, and Verify tells. [spill.NewLocal] has none of these limits, and is the store for directories that no
// other program reads through Go CDK.
func Open(ctx context.Context, rawURL string, options ...Option) (*Store, error) {
	s, err := open(ctx, rawURL, options)
	if err != nil {
		return nil, fmt.Errorf("spill/blob: open %q: %w", withoutQuery(rawURL), err)
	}
	return s, nil
}

// withoutQuery is a URL as errors repeat it. Queries and users may carry secrets.
func withoutQuery(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		scheme, _, _ := strings.Cut(rawURL, ":")
		return clip(scheme) + ":…"
	}
	return clip((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String())
}

func open(ctx context.Context, rawURL string, options []Option) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, errors.New("it is no URL; one looks like file:///var/lib/agent/artifacts or s3://bucket?region=eu-west-1")
	}
	prefix := u.Query().Get("prefix")
	for param := range u.Query() {
		if param != "prefix" {
			return nil, fmt.Errorf("parameter %q: only prefix can be given; the store chooses the rest", param)
		}
	}
	var bucket *blob.Bucket
	switch u.Scheme {
	case memblob.Scheme:
		bucket = memblob.OpenBucket(nil)
	case fileblob.Scheme:
		if u.Host != "" && u.Host != "." && u.Host != "localhost" {
			return nil, fmt.Errorf("%q would be another machine; an absolute path begins with a third slash", u.Host)
		}
		path := filePath(u)
		if bucket, err = openDir(path); err != nil {
			return nil, err
		}
		options = append([]Option{WithName(fileblob.Scheme + "://" + filepath.ToSlash(path) + "?" + prefix)}, options...)
		options = append(options, WithBeforeWrite(private))
	default:
		return nil, errors.New("this package opens mem:// and file:// URLs; for s3://, gs:// and azblob:// call Open of package " +
			"bounding/spill/blob/clouds, and for others blob.OpenBucket of gocloud.dev and New")
	}
	if prefix != "" {
		bucket = blob.PrefixedBucket(bucket, prefix)
	}
	return New(bucket, append(options, WithOwnership())...), nil
}

// filePath is the path in a file URL, as the file driver understands it.
func filePath(u *url.URL) string {
	path := u.Path
	if u.Host == "." || os.PathSeparator != '/' {
		path = strings.TrimPrefix(path, "/")
	}
	if abs, err := filepath.Abs(filepath.FromSlash(path)); err == nil {
		return abs
	}
	return path
}

const instead = "; artifacts would be readable for others there: close it to them (chmod 700), or use spill.NewLocal, whose files are private anywhere"

// openDir opens a directory, if nobody but its owner gets at what is in it.
func openDir(path string) (*blob.Bucket, error) {
	local, err := spill.NewLocal(path) // makes the directory, and looks at it and at those above it
	if err != nil {
		return nil, err
	}
	if err := local.Close(); err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("the mode of the directory is %v%s: %w", info.Mode(), instead, fs.ErrPermission)
	}
	if _, err := os.Lstat(filepath.Join(path, ".lock")); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the directory is in use by spill.NewLocal, which would count and remove what is in it: choose another one: %w", fs.ErrExist)
	}
	return fileblob.OpenBucket(path, &fileblob.Options{
		DirFileMode: 0o700,
		NoTempDir:   true, // others can list the system's directory, and a rename from there may cross file systems
		Metadata:    fileblob.MetadataDontWrite,
	})
}

// private makes a file private before there is content in it.
func private(as func(any) bool) error {
	var f *os.File
	if !as(&f) {
		return errors.New("the file driver does not give access to the file, whose mode must be set")
	}
	return f.Chmod(0o600)
}
