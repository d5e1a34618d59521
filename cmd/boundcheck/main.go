package main

import (
	"os"

	"github.com/boundcheck/boundcheck/analyzers"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/cli"
)

func main() {
	app := &cli.App{Analyzers: analyzers.All(), Stdout: os.Stdout, Stderr: os.Stderr}
	os.Exit(app.Main(os.Args[1:]))
}
