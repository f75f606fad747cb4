import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.tovalues = nn.Linear(d_in, d_v, bias=False)
        self.tokeys = nn.Linear(d_in, d_k, bias=False)
        self.toqueries = nn.Linear(d_in, d_k, bias=False)
        self.d_k = d_k

    def forward(self, x):
        q, k, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        w = F.softmax(torch.bmm(q, k.transpose(1, 2)), dim=2)
        return torch.bmm(w, v)
