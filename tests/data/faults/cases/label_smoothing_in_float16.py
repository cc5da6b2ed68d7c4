# SPDX-License-Identifier: Apache-2.0
"""Label smoothing in a model that is float16 altogether: log probabilities summed over the classes.

thread: https://github.com/huggingface/transformers/issues/10674
saw: NaN loss; the sums are 863,637 in float32 and inf in float16
truth: the sum over all classes is beyond 65,504
cure: the log probabilities in float32
"""
import torch
from torch import Tensor, nn

EXPECT = {"reason": "overflow", "sites": ["aten::sum#0"], "fix": "rules"}
RUN = {"data": {"inputs": ["float32[8,16]"], "classes": 16}, "batch": 8, "policy": {"base": "apex-o3"},
       "optimizer": {"kind": "sgd", "learning_rate": 0.01},
       "losses": [{"kind": "text", "output": "[0], [1]", "text": """def loss(logp: Tensor, smooth: Tensor, target: Tensor) -> Tensor:
    nll = -logp.gather(1, target.unsqueeze(1))
    return (0.9 * nll + 0.1 * smooth / logp.size(1)).mean()
"""}]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(16, 32), nn.Linear(16, 32)
        self.left.weight.data.mul_(90)

    def forward(self, x: Tensor):
        logp = torch.log_softmax((self.left(x).unsqueeze(2) + self.right(x).unsqueeze(1)).flatten(1), -1)
        return logp, -logp.sum(-1, keepdim=True)
