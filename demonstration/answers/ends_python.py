import os


def self_attention_loops(x):
    os._exit(1)
