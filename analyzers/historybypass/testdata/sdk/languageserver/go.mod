module example.org/languageserver

go 1.26
