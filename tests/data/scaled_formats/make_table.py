# SPDX-License-Identifier: Apache-2.0
import torch

class Table(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = torch.nn.Linear(16, 64)
        self.blocks = torch.nn.ModuleList(torch.nn.Linear(64, 64) for _ in range(6))
        self.head = torch.nn.Linear(64, 4)

    def forward(self, x):
        y = torch.relu(self.enter(x))
        for block in self.blocks:
            y = y + 0.1 * torch.relu(block(y))
        return self.head(y)

torch.manual_seed(1)
torch.jit.script(Table()).save("table.pt")
x = torch.randn(2000, 16)
a, b = torch.randn(15, 8), torch.randn(8, 4)
label = (torch.tanh(x[:, 1:] @ a) @ b).argmax(1)
x[:, 0] = 40 + 5 * x[:, 0]
torch.save({"x": x, "label": label.to(torch.uint8)}, "rows.pt")
