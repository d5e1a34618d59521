// Package unit is the driver under go vet: the go command starts the program once for each package, dependencies
// first, and tells it in a file what to look at.
//
// The protocol has three requests. -V=full asks for a line that identifies the program, for the go command's cache;
// -flags asks which flags it takes; and the name of a file ending in .cfg asks for one package to be checked.
//
// A package outside the main module is answered with an empty file of facts before anything of it is read, and so
// is whatever only the tests need when tests are not wanted: most of the cost of a vet tool is the reading of
// packages that it has nothing to say about.
//
// # What the go command caches
//
// Facts and output of a unit are stored under a key of the program's identity, its flags, and the package, and are
// replayed when the key comes again. Three consequences:
//
// Up to Go 1.26 the key does not say whether only facts were asked for. A package that is first seen as a dependency
// would be stored without findings, and a later run that asks for them would replay that silence. So such a unit is
// checked in full, and its findings appear although only a package that imports it was named. There is one
// exception: a package with test files of its own is never asked for itself, only its test variant is.
//
// An analysis that failed must not be stored: nothing is written to the file of facts, and the exit code is 1.
//
// Model files are not in the key, but the program's identity is, and it is asked for in the user's directory. So the
// identity covers the model files that can be found without knowing the flags, which the request does not tell:
// those beside go.mod and go.work, and those that the environment names. A model file elsewhere is refused.
package unit
