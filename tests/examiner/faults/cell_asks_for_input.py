work = input("what now? ")
