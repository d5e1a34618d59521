// Package clouds opens stores of bounding/spill/blob in S3, Google Cloud Storage and Azure Blob Storage.
//
//	store, err := clouds.Open(ctx, "s3://agent-artifacts?region=eu-west-1&prefix=prod/")
//	store, err := clouds.Open(ctx, "gs://agent-artifacts?prefix=prod/")
//	store, err := clouds.Open(ctx, "azblob://agent-artifacts?storage_account=agents")
//
// It is a module of its own, because the client libraries of the three services are several times as large as all of
// boundcheck. What a bucket must look like is described in package blob.
package clouds

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"gocloud.dev/blob/azureblob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/blob/s3blob"

	"github.com/boundcheck/boundcheck/bounding/spill/blob"
)

// Open returns the store at an s3://, gs:// or azblob:// URL, or at one that [blob.Open] knows. Parameters and credentials
// are those of the Go CDK drivers: see their URLOpener and https://gocloud.dev/howto/blob. It may look for credentials on
// the network, but does not ask for the bucket, so that a wrong name shows when something is saved.
//
// The parameter acl=private sets the access list of each object, for S3 and Google buckets that have access lists. Others
// refuse writes with one.
//
// Close releases the bucket.
func Open(ctx context.Context, rawURL string, options ...blob.Option) (*blob.Store, error) {
	u, err := url.Parse(rawURL)
	if err != nil || !slices.Contains([]string{s3blob.Scheme, gcsblob.Scheme, azureblob.Scheme}, u.Scheme) {
		return blob.Open(ctx, rawURL, options...)
	}
	name := u.Scheme + "://" + u.Host + u.Path
	bucket, private, err := open(ctx, u)
	if err != nil {
		return nil, fmt.Errorf("spill/blob/clouds: open %q: %w", name, err)
	}
	options = slices.Concat(
		[]blob.Option{blob.WithName(name + "?" + u.Query().Get("prefix"))}, options, []blob.Option{blob.WithOwnership()})
	if private != nil {
		options = append(options, blob.WithBeforeWrite(private))
	}
	return blob.New(bucket, options...), nil
}
