package clouds

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"cloud.google.com/go/storage"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager/types"
	"gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/blob/s3blob"
)

// aclParam asks for an access list on each object.
const aclParam = "acl"

// hook looks at a write before it begins.
type hook func(as func(any) bool) error

// open opens a bucket, and returns what keeps each write to it private.
func open(ctx context.Context, u *url.URL) (*blob.Bucket, hook, error) {
	query := u.Query()
	acl := query[aclParam]
	if len(acl) > 0 && !slices.Equal(acl, []string{"private"}) {
		return nil, nil, fmt.Errorf("acl=%s: only private can be asked for", acl[0])
	}
	if query.Has("key") {
		return nil, nil, errors.New("parameter key: a store has many objects; use prefix")
	}
	if u.Host == "" {
		return nil, nil, fmt.Errorf("it names no bucket; one looks like %s://bucket?prefix=artifacts/", u.Scheme)
	}
	query.Del(aclParam)
	plain := *u
	plain.RawQuery = query.Encode()
	check, err := guard(u.Scheme, len(acl) > 0)
	if err != nil {
		return nil, nil, err
	}
	bucket, err := blob.DefaultURLMux().OpenBucketURL(ctx, &plain)
	return bucket, check, err
}

// guard is the hook for a scheme. It sets the access list if that is asked for, and refuses any that lets the public in.
func guard(scheme string, set bool) (hook, error) {
	switch {
	case scheme == s3blob.Scheme:
		return func(as func(any) bool) error { return guardS3(as, set) }, nil
	case scheme == gcsblob.Scheme:
		return func(as func(any) bool) error { return guardGoogle(as, set) }, nil
	case scheme == azureblob.Scheme && set:
		return nil, errors.New("acl=private: Azure has no access lists for blobs; disable public access of the container or the account")
	}
	return nil, nil
}

var errNoAccess = errors.New("the driver does not show its request, so that nobody can tell whether the object would be private")

func guardS3(as func(any) bool, set bool) error {
	var in *transfermanager.UploadObjectInput
	if !as(&in) {
		return errNoAccess
	}
	if set {
		in.ACL = types.ObjectCannedACLPrivate
	}
	switch in.ACL {
	case types.ObjectCannedACLPublicRead, types.ObjectCannedACLPublicReadWrite, types.ObjectCannedACLAuthenticatedRead:
		return fmt.Errorf("the access list %q lets others read: leave it out or set it to private", in.ACL)
	}
	return nil
}

func guardGoogle(as func(any) bool, set bool) error {
	var w *storage.Writer
	if !as(&w) {
		return errNoAccess
	}
	if set {
		w.PredefinedACL = "private"
	}
	switch w.PredefinedACL {
	case "publicRead", "publicReadWrite", "authenticatedRead":
		return fmt.Errorf("the access list %q lets others read: leave it out or set it to private", w.PredefinedACL)
	}
	for _, rule := range w.ACL {
		if rule.Entity == storage.AllUsers || rule.Entity == storage.AllAuthenticatedUsers {
			return fmt.Errorf("the access list lets %q read: leave it out or set it to private", rule.Entity)
		}
	}
	return nil
}
