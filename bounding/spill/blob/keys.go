package blob

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// What a store keeps in its bucket:
//
//	session-<12 hex>/<12 hex>-<name>   an artifact
//	.lease/<12 hex>-<milliseconds>     a sign of life of a process; the sessions it holds
//	.room/<12 hex of the lease>-<12 hex of the artifact>-<number>-<12 hex of the session>-<bytes>
//	                                   bytes reserved for an artifact that is being written
//
// Nothing else is ever opened, counted or removed, except what the file driver leaves when it is killed: an artifact's
// key with a number and .tmp behind.
const (
	sessionPrefix = "session-"
	leasePrefix   = ".lease/"
	roomPrefix    = ".room/"
	locatorPrefix = "blob:"
	randomLen     = 12 // hexadecimal digits

	// maxName leaves room in a file name of 255 bytes for what the file driver writes behind it.
	maxName  = 230
	nameRoom = maxName - randomLen - 1
)

const hex12 = `[0-9a-f]{12}`

var (
	artifactForm = regexp.MustCompile(`^(session-` + hex12 + `)/(` + hex12 + `)-([A-Za-z0-9._~-]+)$`)
	partialForm  = regexp.MustCompile(`^session-` + hex12 + `/` + hex12 + `-[A-Za-z0-9._~-]+\.[0-9a-f]+\.tmp$`)
	leaseForm    = regexp.MustCompile(`^\.lease/(` + hex12 + `)-([0-9]{1,12})$`)
	roomForm     = regexp.MustCompile(`^\.room/(` + hex12 + `)-(` + hex12 + `)-[0-9]+-(` + hex12 + `)-([0-9]{1,18})$`)
)

// reservation is what the key of one says.
type reservation struct {
	key      string
	lease    string
	artifact string // session and random number of the artifact
	session  string
	bytes    int64
	made     time.Time
}

func parseRoom(key string) (reservation, bool) {
	m := roomForm.FindStringSubmatch(key)
	if m == nil {
		return reservation{}, false
	}
	n, err := strconv.ParseInt(m[4], 10, 64)
	session := sessionPrefix + m[3]
	return reservation{key: key, lease: m[1], artifact: session + "/" + m[2], session: session, bytes: n}, err == nil
}

func roomKey(lease, session, random string, number, bytes int64) string {
	return fmt.Sprintf("%s%s-%s-%d-%s-%d", roomPrefix, lease, random, number, strings.TrimPrefix(session, sessionPrefix), bytes)
}

func leaseKey(id string, life time.Duration) string {
	return fmt.Sprintf("%s%s-%d", leasePrefix, id, life.Milliseconds())
}

func parseLease(key string) (id string, life time.Duration, ok bool) {
	m := leaseForm.FindStringSubmatch(key)
	if m == nil {
		return "", 0, false
	}
	ms, err := strconv.ParseInt(m[2], 10, 64)
	return m[1], time.Duration(ms) * time.Millisecond, err == nil
}

// parseArtifact takes the key of an artifact apart; id is the session and the random number in it.
func parseArtifact(key string) (session, id, name string, ok bool) {
	m := artifactForm.FindStringSubmatch(key)
	if m == nil || len(m[3]) > nameRoom || reservedEnd(m[3]) >= 0 {
		return "", "", "", false
	}
	return m[1], m[1] + "/" + m[2], m[3], true
}

func random() string {
	var b [randomLen / 2]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func shortSum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:randomLen/2])
}

// sessionOf is what the keys of a session begin with.
//
// spec: SPL-2
func sessionOf(session string) string { return sessionPrefix + shortSum(session) }

// reservedEnd is where the last dot of a name is, if drivers or services make something else of what follows it: files
// named .attrs and .tmp are the file driver's own, and Azure may lose a dot at the end.
func reservedEnd(escaped string) int {
	for _, end := range []string{".", ".attrs", ".tmp"} {
		if strings.HasSuffix(escaped, end) {
			return len(escaped) - len(end)
		}
	}
	return -1
}

// escape is spill.EscapeName, also for endings that are reserved, and for names of at most room bytes.
func escape(name string, room int) string {
	escaped := spill.EscapeName(name)
	if i := reservedEnd(escaped); i >= 0 {
		escaped = escaped[:i] + "~002E" + escaped[i+1:]
	}
	if len(escaped) <= room {
		return escaped
	}
	sum := sha256.Sum256([]byte(name))
	tail := "~" + hex.EncodeToString(sum[:8])
	return escaped[:room-len(tail)] + tail
}

// unescape is the name that escape made a name of, or the escaped one when it was shortened.
func unescape(escaped string) string {
	if escaped == "~" {
		return ""
	}
	var units []uint16
	for rest := escaped; rest != ""; {
		code, width := uint64(rest[0]), 1
		if rest[0] == '~' && len(rest) >= 5 {
			if unit, err := strconv.ParseUint(rest[1:5], 16, 16); err == nil {
				code, width = unit, 5
			}
		}
		units = append(units, uint16(code))
		rest = rest[width:]
	}
	if name := string(utf16.Decode(units)); escape(name, nameRoom) == escaped {
		return name
	}
	return escaped
}

// spoken is a name as errors repeat it: escaped, and not at any length.
func spoken(name string) string { return escape(name, 64) }
