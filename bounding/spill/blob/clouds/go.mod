module github.com/boundcheck/boundcheck/bounding/spill/blob/clouds

go 1.26.0

require github.com/boundcheck/boundcheck v0.0.0

replace github.com/boundcheck/boundcheck => ../../../..
