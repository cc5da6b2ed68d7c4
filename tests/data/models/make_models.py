#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the model files of this folder with PyTorch 2.11: python3 make_models.py

Traced and scripted models that the C++ samples cannot stand for, and files that are no models. Each is small; the
weights are drawn from a fixed seed, so that a second run gives equal models (ZIP time stamps aside).
"""
import enum
import zipfile

import torch
from torch import nn
from saved_model import save
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

torch.manual_seed(0)
torch.set_num_threads(1)  # sums over threads have the bits of one


class Net(nn.Module):
    """Convolution, batch norm, an in-place relu used twice, dropout, linear."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.bn = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 8, 3, padding=1)
        self.relu = nn.ReLU(inplace=True)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        x = self.relu(self.bn(self.conv1(x)))
        x = self.relu(x + self.conv2(x))
        return self.fc(self.drop(x.mean((2, 3))))


class Recurrent(nn.Module):
    """An LSTM that is called twice in one forward: its weights are cast once."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 16, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(32, 16, batch_first=True)
        self.fc = nn.Linear(16, 4)

    def forward(self, x):
        y, state = self.lstm(x)
        y2, state = self.lstm(x * 0.5, state)
        z, _ = self.gru(y + y2)
        return self.fc(z[:, -1])


class Control(nn.Module):
    """If, loop, break, list, dict input, optional input, tuple output, a method other than forward."""

    def __init__(self):
        super().__init__()
        self.cells = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.gate = nn.Linear(8, 1)

    def mix(self, x: torch.Tensor, times: int) -> torch.Tensor:
        for i in range(times):
            x = torch.tanh(self.gate(x)) * x
            if i > 2:
                break
        return x

    def forward(self, inputs: Dict[str, torch.Tensor], times: int = 2) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        x = inputs["x"]
        seen: List[torch.Tensor] = []
        for cell in self.cells:
            x = torch.relu(cell(x))
            seen.append(x)
        if bool(x.sum() > 0):
            x = self.mix(x, times)
        else:
            x = torch.sigmoid(x)
        if "y" in inputs:
            x = x + inputs["y"]
        return x, seen


class Attention(nn.Module):
    """Multi-head attention and cross-entropy inside the model, as some training scripts export it."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.attend = nn.MultiheadAttention(16, 4, batch_first=True)
        self.norm = nn.LayerNorm(16)
        self.head = nn.Linear(16, 50)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor) -> Dict[str, torch.Tensor]:
        x = self.embed(tokens)
        y, _ = self.attend(x, x, x)
        logits = self.head(self.norm(x + y))
        return {"loss": nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten()), "logits": logits}


class DeviceConstant(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x) + torch.arange(4, device=x.device, dtype=torch.float32)


class OwnAutocast(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.fc(x)


class OwnBlocks(nn.Module):
    """Autocast blocks: one that calls listed, unlisted and composite ops, one inside it that is off, one whose device
    and switch are not constants, one for another device, and questions whether autocast is on."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)
        self.lstm = nn.LSTM(8, 8)
        self.norm = nn.LayerNorm(8)
        self.low = True

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            a = self.fc(x)
            b, _ = self.lstm(a.unsqueeze(0))
            with torch.autocast("cpu", enabled=False):
                c = self.fc(x.float())
            b = b + self.fc(x * 2.0)
            if torch.is_autocast_cpu_enabled():
                b = b * 2.0
        with torch.autocast(x.device.type, dtype=torch.bfloat16, enabled=self.low, cache_enabled=False):
            d = torch.mm(c, c.t()) + torch.mm(a.float(), self.fc(x).float().t())
        with torch.autocast("cuda", dtype=torch.float16):
            e = self.norm(self.fc(x))
        if torch.is_autocast_cpu_enabled():
            e = e + 1.0
        return a, b, c, d, e


class OwnBlockDynamic(nn.Module):
    """An autocast block whose switch is computed while the model runs."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bool(x.sum() > 0)):
            return self.fc(x)


class Expected(nn.Module):
    """Numbers that eager PyTorch gave, for a test to read."""

    def __init__(self, tensors: Dict[str, torch.Tensor]):
        super().__init__()
        self.tensors = tensors

    def forward(self) -> Dict[str, torch.Tensor]:
        return self.tensors


def eager(module, x, outer):
    """Outputs and gradients of the loss that the tests take, without and within an autocast block of the caller's."""
    module.zero_grad()
    if outer is None:
        outputs = module(x)
    else:
        with torch.autocast("cpu", dtype=outer):
            outputs = module(x)
    sum(y.float().square().mean() for y in outputs).backward()
    numbers = {f"output{i}": y.detach() for i, y in enumerate(outputs)}
    numbers.update({f"gradient of {name}": p.grad.clone() for name, p in module.named_parameters()})
    return numbers


class UserDtypes(nn.Module):
    """Dtypes that the model asks for itself."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        y = self.fc(x).half().float()
        z = torch.softmax(y, -1, dtype=torch.float64)
        w = y.sum(-1, dtype=torch.float32) + torch.ones(1, dtype=torch.float16).to(torch.float32)
        return y.to(torch.bfloat16).to(x), z, w


class ExecutorFails(nn.Module):
    """Promotion that LibTorch's optimising executor differentiates wrongly: its backward refuses the dtypes."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 4))
        self.r = nn.Parameter(torch.randn(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = nn.functional.linear(x.to(torch.bfloat16), self.w.to(torch.bfloat16))
        return torch.relu(y + self.r) * 2.0


class Forking(nn.Module):
    """A fork inside a submodule, and one inside what it forks."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def twice(self, x: torch.Tensor) -> torch.Tensor:
        later = torch.jit.fork(self.fc, x)
        return torch.tanh(self.fc(x)) + torch.jit.wait(later)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        later = torch.jit.fork(self.twice, x)
        return torch.sin(self.fc(x)) + torch.jit.wait(later)


class ForkList(nn.Module):
    """Futures in a list: some are waited for in a loop, one is not."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        later: List[torch.jit.Future[torch.Tensor]] = []
        for layer in self.layers:
            later.append(torch.jit.fork(layer, x))
        y = torch.zeros_like(x)
        for future in later[1:]:
            y = y + torch.jit.wait(future)
        return y


class Forked(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Forking()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x) * 2.0


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


class Interface(nn.Module):
    inner: Layer

    def __init__(self):
        super().__init__()
        self.inner = Linear()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner.forward(x) * 2.0


class InterfaceList(nn.Module):
    """Which of its layers runs is an input: the call cannot be flattened."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Linear(), Linear()])

    def forward(self, x: torch.Tensor, which: int) -> torch.Tensor:
        layer: Layer = self.layers[which]
        return layer.forward(torch.tanh(x)) * 2.0


class Divides(nn.Module):
    """Divides integers, in a call that cannot be flattened."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) * (6 // (x.size(0) - 2))


class InterfaceListDivides(InterfaceList):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.layers = nn.ModuleList([Linear(), Divides()])

    def forward(self, x: torch.Tensor, which: int) -> torch.Tensor:
        layer: Layer = self.layers[which]
        return layer.forward(self.norm(x))


def sine(x: torch.Tensor) -> torch.Tensor:
    return torch.sin(x)


class InterfaceListForked(InterfaceList):
    """The same beside a fork: what is opaque is met again when the fork has been inlined."""

    def forward(self, x: torch.Tensor, which: int) -> torch.Tensor:
        beside = torch.jit.fork(sine, x)
        layer: Layer = self.layers[which]
        return layer.forward(torch.tanh(x)) * 2.0 + torch.jit.wait(beside)


class SetState(nn.Module):
    """Runs code while it is being loaded."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.training = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(x)

    @torch.jit.export
    def __getstate__(self) -> Tuple[torch.Tensor, bool]:
        return self.fc.weight, self.training

    @torch.jit.export
    def __setstate__(self, state: Tuple[torch.Tensor, bool]) -> None:
        self.training = state[1]


class Probabilities(nn.Module):
    """A loss in the model that takes probabilities alone."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return nn.functional.binary_cross_entropy(torch.sigmoid(self.fc(x)), target)


class CalledTwice(nn.Module):
    """Two linear layers: each product stands at one line of PyTorch, and is called at a line of its own here."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)

    def forward(self, x):
        x = torch.relu(self.first(x))
        return self.second(x)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Pair(NamedTuple):
    first: torch.Tensor
    second: int


class Values(nn.Module):
    """An attribute of every kind that TorchScript saves; shared tensors; constants with values that differ."""

    color: Color
    pair: Pair
    anything: Any
    either: Union[int, str]
    tensors: Optional[List[torch.Tensor]]
    table: Dict[int, Tuple[float, str]]
    nested: Dict[str, List[int]]
    nothing: Optional[int]
    flags: List[bool]

    def __init__(self):
        super().__init__()
        self.color = Color.BLUE
        self.pair = Pair(torch.ones(2), 3)
        self.anything = [1, 2]
        self.either = "a text"
        self.tensors = [torch.ones(1), torch.zeros(2)]
        self.table = {1: (2.5, "x"), -7: (float("nan"), "")}
        self.nested = {"a": [1, 2], "b": []}
        self.nothing = None
        self.flags = [True, False]
        self.device = torch.device("cpu")
        self.dtype = torch.float16
        self.number = 1 + 2j
        self.large = -(2**40)
        self.ratio = -0.125
        self.weight = nn.Parameter(torch.randn(4, 4))
        self.tied = self.weight
        self.rounded = nn.Parameter(torch.randn(4).bfloat16())
        self.frozen = nn.Parameter(torch.randn(4), requires_grad=False)
        self.register_buffer("base", torch.randn(4, 6))
        self.register_buffer("view", self.base.t()[1:3])
        self.register_buffer("wide", torch.ones(1).expand(5))
        self.register_buffer("empty", torch.empty(0, 3))
        self.register_buffer("eight", torch.ones(2).to(torch.float8_e4m3fn))
        self.register_buffer("whole", torch.ones(2, dtype=torch.int16))
        self.register_buffer("phase", torch.ones(2, dtype=torch.cfloat))
        self.register_buffer("absent", None)

    def forward(self, x: torch.Tensor, twice: bool = True, shift: float = -0.5):
        if self.color == Color.BLUE:
            x = x @ self.weight + self.rounded.float() + self.frozen
        table = torch.tensor([[1.0, float("inf")], [-2.0, 3.0]])
        anything = self.anything
        if isinstance(anything, List[int]):
            x = x * anything[0]
        return x * self.pair.second + self.pair.first.sum() + self.table[1][0] + table[1].sum() + shift



x = torch.randn(2, 3, 8, 8)
save("scripted", torch.jit.script(Net()))
save("traced_train", torch.jit.trace(Net().train(), x, check_trace=False))
save("traced_eval", torch.jit.trace(Net().eval(), x))
save("frozen", torch.jit.freeze(torch.jit.script(Net().eval())))
save("recurrent", torch.jit.script(Recurrent()))
save("control", torch.jit.script(Control()))
save("attention", torch.jit.script(Attention()))
save("device_constant", torch.jit.trace(DeviceConstant(), torch.randn(2, 4)))
save("own_autocast", torch.jit.script(OwnAutocast()))
save("interface", torch.jit.script(Interface()))
save("set_state", torch.jit.script(SetState()))
save("forked", torch.jit.script(Forked()))
torch.manual_seed(1)
save("interface_list", torch.jit.script(InterfaceList()))
save("fork_list", torch.jit.script(ForkList()))
save("user_dtypes", torch.jit.script(UserDtypes()))
save("user_dtypes_traced", torch.jit.trace(UserDtypes(), torch.randn(2, 4)))
save("executor_fails", torch.jit.script(ExecutorFails()))
save("own_block_dynamic", torch.jit.script(OwnBlockDynamic()))
blocks = OwnBlocks()
given = torch.randn(3, 4)
expected = {"x": given}
for name, outer in {"alone": None, "inside": torch.bfloat16}.items():
    expected.update({f"{name}: {key}": value for key, value in eager(blocks, given, outer).items()})
blocks.zero_grad(set_to_none=True)
save("own_blocks", torch.jit.script(blocks))
save("own_blocks_expected", torch.jit.script(Expected(expected)))
untrainable = torch.jit.script(nn.Linear(4, 4))
for parameter in untrainable.parameters():
    parameter.requires_grad_(False)
save("untrainable", untrainable)
save("interface_list_divides", torch.jit.script(InterfaceListDivides()))
save("interface_list_forked", torch.jit.script(InterfaceListForked()))
save("probabilities", torch.jit.script(Probabilities()))
torch.manual_seed(2)
called = CalledTwice()
save("called_twice", torch.jit.script(called))
save("called_twice_traced", torch.jit.trace(called, torch.randn(2, 4)))
torch.manual_seed(3)
save("values", torch.jit.script(Values()))

# Files that are no models.
torch.save(Net().state_dict(), "state_dict.pth")
torch.save(Net(), "whole_model.pth")
torch.save(Net().state_dict(), "legacy_pickle.pth", _use_new_zipfile_serialization=False)
with open("scripted.pt", "rb") as whole, open("truncated.pt", "wb") as part:
    data = whole.read()
    part.write(data[: len(data) // 2])

# An op that no LibTorch has: the same archive with the name of one of its ops changed.
with zipfile.ZipFile("interface.pt") as source, zipfile.ZipFile("unknown_op.pt", "w", zipfile.ZIP_STORED) as target:
    for item in source.infolist():
        content = source.read(item)
        if item.filename.endswith(".py"):
            content = content.replace(b"torch.linear(", b"ops.vision.nms(").replace(b"torch.mul(", b"ops.vision.nms(")
        target.writestr(item.filename, content)
