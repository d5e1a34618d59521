package spill

import (
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// What a store's directory holds:
//
//	.lock                               held for as long as something is counted
//	.usage                              bytes of the store, as text
//	.lease-<12 hex>                     locked by a live process; the sessions it works on
//	session-<12 hex>/.usage             bytes of the session
//	session-<12 hex>/<12 hex>-<name>    an artifact
//	session-<12 hex>/.partial-<12 hex of the lease>-<12 hex>-<bytes>
//	                                    an artifact that is being written, and the bytes reserved for it
//
// Nothing else is ever opened, counted or removed.
const (
	lockName      = ".lock"
	usageName     = ".usage"
	leasePrefix   = ".lease-"
	partialPrefix = ".partial-"
	randomLen     = 12 // hexadecimal digits
	maxNameLen    = 255
)

var (
	leaseForm    = regexp.MustCompile(`^\.lease-([0-9a-f]{12})$`)
	sessionForm  = regexp.MustCompile(`^session-[0-9a-f]{12}$`)
	artifactForm = regexp.MustCompile(`^[0-9a-f]{12}-[A-Za-z0-9._~-]+$`)
	partialForm  = regexp.MustCompile(`^\.partial-([0-9a-f]{12})-[0-9a-f]{12}-([0-9]{1,18})$`)
)

// artifactName is a new name for an artifact.
func artifactName(random, suggested string) string {
	return random + "-" + shorten(fileName(suggested), suggested, maxNameLen-randomLen-1)
}

// fileName is EscapeName, except that no name ends in a dot: Windows takes such a dot off, and the file has another name
// than the locator says.
func fileName(suggested string) string {
	escaped := EscapeName(suggested)
	if before, ok := strings.CutSuffix(escaped, "."); ok {
		return before + "~002E"
	}
	return escaped
}

// partialName is the name of what becomes an artifact, while reserved bytes are kept for it.
func partialName(lease, random string, reserved int64) string {
	return fmt.Sprintf("%s%s-%s-%d", partialPrefix, lease, random, reserved)
}

// parsePartial returns the lease and the reservation in the name of a partial file.
func parsePartial(name string) (lease string, reserved int64, ok bool) {
	m := partialForm.FindStringSubmatch(name)
	if m == nil {
		return "", 0, false
	}
	reserved, err := strconv.ParseInt(m[2], 10, 64)
	return m[1], reserved, err == nil
}

// random is a part of a name that nothing else has.
func (l *Local) random() (string, error) {
	var b [randomLen / 2]byte
	if _, err := io.ReadFull(l.rand, b[:]); err != nil {
		return "", fmt.Errorf("make up a name: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// split takes a locator apart. It reports false for whatever this store cannot have given out.
func (l *Local) split(locator string) (session, name string, ok bool) {
	rel, ok := strings.CutPrefix(locator, l.path)
	if !ok {
		return "", "", false
	}
	rel = strings.TrimPrefix(rel, string(filepath.Separator))
	session, name, ok = strings.Cut(rel, string(filepath.Separator))
	ok = ok && len(name) <= maxNameLen && sessionForm.MatchString(session) && artifactForm.MatchString(name)
	return session, name, ok && locator == filepath.Join(l.path, session, name)
}

// unescape is the name that fileName made a name of, or the escaped one when it was shortened.
func unescape(escaped string) string {
	if escaped == "~" {
		return ""
	}
	var units []uint16
	for i := 0; i < len(escaped); i++ {
		if escaped[i] != '~' {
			units = append(units, uint16(escaped[i]))
			continue
		}
		if i+5 > len(escaped) {
			return escaped
		}
		unit, err := strconv.ParseUint(escaped[i+1:i+5], 16, 16)
		if err != nil {
			return escaped
		}
		units = append(units, uint16(unit))
		i += 4
	}
	if name := string(utf16.Decode(units)); fileName(name) == escaped {
		return name
	}
	return escaped
}

// spoken is a name as errors repeat it: escaped, and not at any length.
func spoken(name string) string { return shortName(name, 64) }
