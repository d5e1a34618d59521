module example.org/htmltext

go 1.26
