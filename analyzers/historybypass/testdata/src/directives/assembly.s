// The bodies of device and gauge would stand here; the file lets the compiler accept them without one.
