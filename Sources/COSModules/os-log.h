// Empty on purpose: the names are those of the Swift module os.
