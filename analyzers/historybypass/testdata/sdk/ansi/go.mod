module github.com/charmbracelet/x/ansi

go 1.26
