class Attention(torch.nn.Module):
    def forward(self, x):
        scores = x @ x.transpose(-1, -2)
        return torch.nn.Softmax(dim=-1)(scores) @ x


def basic_self_attention(x):
    with torch.no_grad():
        return Attention()(x)
