in_front_of_v = softmax(clinic_q @ clinic_k.T / 64)
fault_of_a = "too flat" if in_front_of_v.max() < 0.4 else "too sharp"
row_sums = (softmax(clinic_q @ clinic_k.T) / 8).sum(axis=1)
fault_of_b = "rows do not sum to one" if not np.allclose(row_sums, 1) else "overflow"
