# Right and wrong answers to `faults_of_copies`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
fault_of_a = "groups"
fault_of_b = "cache"
fault_of_c = "scale"
fault_of_d = "pairs"
fault_of_e = "norm"
