package clouds_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"cloud.google.com/go/storage"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager/types"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/spill/blob"
	"github.com/boundcheck/boundcheck/bounding/spill/blob/clouds"
	"github.com/boundcheck/boundcheck/bounding/spill/spilltest"
)

// offline leaves no credentials, and no way to look for any.
func offline(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "/nonexistent", "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent",
		"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key", "AWS_REGION": "eu-west-1",
		"AZURE_STORAGE_ACCOUNT": "account", "AZURE_STORAGE_KEY": "a2V5", "AZURE_STORAGE_CONNECTION_STRING": "",
		"GOOGLE_APPLICATION_CREDENTIALS": "/nonexistent",
	} {
		t.Setenv(name, value)
	}
}

func TestOpens(t *testing.T) {
	offline(t)
	for _, url := range []string{
		"s3://bucket", "s3://bucket?region=eu-west-1&prefix=a/", "s3://bucket?acl=private",
		"gs://bucket?anonymous=true", "gs://bucket?anonymous=true&acl=private&prefix=a/",
		"azblob://container", "azblob://container?prefix=a/", "mem://",
	} {
		s, err := clouds.Open(t.Context(), url, blob.WithLimits(spill.Limits{Artifact: 7}))
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if s.Limits().Artifact != 7 {
			t.Errorf("%s: %+v", url, s.Limits())
		}
		// A locator of another store is known without asking the service, and what is too large is not sent.
		if _, err := s.Open(t.Context(), "blob:0123456789ab/session-0123456789ab/0123456789ab-a"); !errors.Is(err, spill.ErrNotFound) {
			t.Errorf("%s: %v", url, err)
		}
		if _, err := s.Save(t.Context(), spill.Request{Content: "12345678"}); !errors.Is(err, spill.ErrQuota) {
			t.Errorf("%s: %v", url, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestRefuses(t *testing.T) {
	offline(t)
	for url, says := range map[string]string{
		"s3://":                                 "names no bucket",
		"s3://bucket?acl=public-read":           "only private",
		"gs://bucket?acl=publicRead":            "only private",
		"azblob://container?acl=private":        "no access lists",
		"s3://bucket?key=one":                   "use prefix",
		"s3://bucket?colour=red":                "colour",
		"gs://bucket?anonymous=true&colour=red": "colour",
		"azblob://container?colour=red":         "colour",
		"ftp://host":                            "mem:// and file://",
		"file://host/x":                         "another machine",
	} {
		s, err := clouds.Open(t.Context(), url)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v", url, s, err)
		}
	}
}

func TestMem(t *testing.T) {
	spilltest.Run(t, func(t testing.TB, limits spill.Limits) spill.Store {
		s, err := clouds.Open(t.Context(), "mem://", blob.WithLimits(limits))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	})
}

// s3Writes saves to an S3 store whose service is a server of the test's own, which keeps nothing, and returns the headers of
// its requests to write an artifact.
func s3Writes(t *testing.T, query string, options ...blob.Option) (writes []http.Header, err error) {
	t.Helper()
	offline(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/session-") {
			writes = append(writes, r.Header)
		}
		if r.Method == http.MethodHead {
			w.Header().Set("Content-Length", "7")
		}
	}))
	defer server.Close()
	none := spill.Limits{Artifact: spill.Unlimited, Session: spill.Unlimited, Store: spill.Unlimited}
	s, err := clouds.Open(t.Context(), "s3://bucket?use_path_style=true&endpoint="+server.URL+query, append(options, blob.WithLimits(none))...)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = s.Save(t.Context(), spill.Request{Owner: "s", SuggestedName: "a", Content: "content"})
	return writes, err
}

// What is sent to S3 is only written where there is nothing, and has the access list that was asked for: none, or private.
//
// spec: SPL-4, SPL-8
func TestS3WritesArePrivate(t *testing.T) {
	for query, acl := range map[string]string{"": "", "&acl=private": "private"} {
		writes, err := s3Writes(t, query)
		if err != nil || len(writes) != 1 {
			t.Fatalf("%v, %v", writes, err)
		}
		if h := writes[0]; h.Get("x-amz-acl") != acl || h.Get("If-None-Match") != "*" {
			t.Errorf("%q: %v", query, h)
		}
	}
	public := blob.WithBeforeWrite(func(as func(any) bool) error {
		var in *transfermanager.UploadObjectInput
		if !as(&in) {
			return errors.New("no request")
		}
		in.ACL = types.ObjectCannedACLPublicRead
		return nil
	})
	if writes, err := s3Writes(t, "", public); err == nil || !strings.Contains(err.Error(), `"public-read" lets others read`) || len(writes) != 0 {
		t.Errorf("%v, %v", writes, err)
	}
	if writes, err := s3Writes(t, "&acl=private", public); err != nil || len(writes) != 1 || writes[0].Get("x-amz-acl") != "private" {
		t.Errorf("%v, %v", writes, err)
	}
}

// What would be public is refused before anything is sent.
func TestGoogleWritesArePrivate(t *testing.T) {
	offline(t)
	for name, set := range map[string]func(*storage.Writer){
		"publicRead": func(w *storage.Writer) { w.PredefinedACL = "publicRead" },
		"allUsers": func(w *storage.Writer) {
			w.ACL = []storage.ACLRule{{Entity: storage.AllUsers, Role: storage.RoleReader}}
		},
	} {
		s, err := clouds.Open(t.Context(), "gs://bucket?anonymous=true", blob.WithBeforeWrite(func(as func(any) bool) error {
			var w *storage.Writer
			if !as(&w) {
				return errors.New("no request")
			}
			set(w)
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Save(t.Context(), spill.Request{Content: "text"}); err == nil || !strings.Contains(err.Error(), name+`" lets others read`) && !strings.Contains(err.Error(), `lets "`+name+`" read`) {
			t.Errorf("%s: %v", name, err)
		}
		s.Close()
	}
}
