# Right and wrong answers to `double`.

# %% right: added
def double(number):
    return number + number

# %% right: multiplied
def double(number):
    return 2 * number

# %% right: summed
def double(number):
    return sum([number, number])

# %% right: halved
def double(number):
    return int(number / 0.5)

# %% right: subtracted
def double(number):
    return number - -number

# %% right: shifted
def double(number):
    return number << 1

# %% wrong: squared
# wrong: multiplies the number by itself
# says: the number is multiplied by itself
# likely: the number is multiplied by itself
# next: add it to itself
-    return number + number
+    return number * number

# %% wrong: thrice
# wrong: adds once too often
# says: expected
-    return number + number
+    return number + number + number

# %% wrong: unchanged
# wrong: gives the number back
# says: expected
-    return number + number
+    return number

# %% wrong: printed
# wrong: prints and returns nothing
# says: returns NoneType
-    return number + number
+    print(number + number)
