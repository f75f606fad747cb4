import matplotlib.pyplot as plt

plt.figure(figsize=(400, 400))
plt.plot([1, 2])
plt.show()
