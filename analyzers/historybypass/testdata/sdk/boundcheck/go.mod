module github.com/boundcheck/boundcheck

go 1.26
