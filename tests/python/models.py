# SPDX-License-Identifier: Apache-2.0
"""Kinds of training as people write them, small enough for a test. Each function returns a Training."""
import dataclasses
from typing import Dict, List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclasses.dataclass
class Training:
    model: nn.Module
    batches: list  # as a loader gives them: (inputs, target)
    loss: object
    optimizer: object  # from parameters to an optimizer
    parameters: object = None  # of the optimizer; None: the model's
    how: str = "auto"


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.05, momentum=0.9, weight_decay=1e-4)


def fused_adam(parameters):
    return torch.optim.Adam(parameters, lr=1e-3, fused=True)


def fused_adamw(parameters):
    return torch.optim.AdamW(parameters, lr=1e-3, fused=True)


def labels(rows, classes, *more):
    return torch.randint(0, classes, (rows, *more))


# ---- Pictures


class VisionTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 32, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, 32))
        self.places = nn.Parameter(torch.randn(1, 17, 32) * 0.02)
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(32, 10)

    def forward(self, image):
        x = self.patches(image).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.size(0), -1, -1), x], dim=1) + self.places
        return self.head(self.encoder(x)[:, 0])


def vision_transformer():
    batches = [(torch.randn(8, 3, 16, 16), labels(8, 10)) for _ in range(20)]
    return Training(VisionTransformer(), batches, nn.CrossEntropyLoss(), fused_adamw, how="trace")


class Twice(nn.Sequential):
    def __init__(self, a, b):
        super().__init__(nn.Conv2d(a, b, 3, padding=1), nn.GroupNorm(4, b), nn.ReLU(),
                         nn.Conv2d(b, b, 3, padding=1), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([Twice(1, 8), Twice(8, 16)])
        self.bottom = Twice(16, 32)
        self.grow = nn.ModuleList([nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)])
        self.up = nn.ModuleList([Twice(32, 16), Twice(16, 8)])
        self.out = nn.Conv2d(8, 2, 1)

    def forward(self, x):
        kept: List[Tensor] = []
        for block in self.down:
            x = block(x)
            kept.append(x)
            x = F.max_pool2d(x, 2)
        x = self.bottom(x)
        for grow, block in zip(self.grow, self.up):
            x = block(torch.cat([kept.pop(), grow(x)], dim=1))
        return self.out(x)


def dice_and_entropy(output: Tensor, target: Tensor) -> Tensor:
    share = output.softmax(dim=1)[:, 1]
    wanted = target.to(share.dtype)
    dice = 1 - (2 * (share * wanted).sum() + 1) / (share.sum() + wanted.sum() + 1)
    return F.cross_entropy(output, target) + dice


def u_net():
    batches = [(torch.randn(4, 1, 16, 16), labels(4, 2, 16, 16)) for _ in range(20)]
    return Training(UNet(), batches, dice_and_entropy, sgd)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, bias=False), nn.BatchNorm2d(16), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, bias=False), nn.BatchNorm2d(32), nn.ReLU(inplace=True), nn.Dropout2d(0.2))
        self.classes = nn.Linear(32, 10)

    def forward(self, x):
        return self.classes(F.dropout(self.features(x).mean(dim=(2, 3)), 0.3, self.training))


def conv_net():
    batches = [(torch.randn(8, 3, 16, 16), labels(8, 10)) for _ in range(20)]
    return Training(ConvNet(), batches, "cross_entropy", sgd)


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(64, 32), nn.GELU(), nn.Linear(32, 8))
        self.decode = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 64))

    def forward(self, x):
        return self.decode(self.encode(x))


def auto_encoder():
    batches = [(x, x) for x in torch.randn(20, 16, 64)]
    return Training(AutoEncoder(), batches, F.mse_loss, fused_adam)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.SiLU(),
                                  nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.SiLU())
        self.classes = nn.Conv2d(32, 4, 1)
        self.boxes = nn.Conv2d(32, 4, 1)
        self.centre = nn.Conv2d(32, 1, 1)

    def forward(self, image) -> Dict[str, Tensor]:
        x = self.body(image)
        return {"classes": self.classes(x), "boxes": self.boxes(x).exp(), "centre": self.centre(x).squeeze(1)}


class DetectorLoss(nn.Module):
    def forward(self, output: Dict[str, Tensor], target: Dict[str, Tensor]) -> Tensor:
        inside = target["inside"]
        wanted = F.one_hot(target["label"], 4).permute(0, 3, 1, 2).to(torch.float32)
        share = output["classes"].sigmoid()
        focal = F.binary_cross_entropy_with_logits(output["classes"], wanted, reduction="none")
        focal = (focal * (wanted - share).abs().square()).sum() / inside.sum().clamp(min=1)
        boxes = F.smooth_l1_loss(output["boxes"], target["boxes"], reduction="none").sum(dim=1)
        boxes = (boxes * inside).sum() / inside.sum().clamp(min=1)
        centre = F.binary_cross_entropy_with_logits(output["centre"], inside.to(torch.float32))
        return focal + 2.0 * boxes + 0.5 * centre


def detector():
    def target():
        return {"label": labels(4, 4, 4, 4), "boxes": torch.rand(4, 4, 4, 4) * 2, "inside": torch.rand(4, 4, 4) > 0.5}
    batches = [{"image": torch.randn(4, 3, 16, 16), **target()} for _ in range(20)]
    return Training(Detector(), batches, DetectorLoss(), sgd)


# ---- A GAN's two parts, each with its own optimizer


def generator_net():
    return nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.LeakyReLU(0.2), nn.Linear(64, 32), nn.Tanh())


def critic_net():
    return nn.Sequential(nn.Linear(32, 64), nn.LeakyReLU(0.2), nn.Dropout(0.3), nn.Linear(64, 1))


class Generator(nn.Module):
    """A generator in front of a critic that is not trained."""

    def __init__(self):
        super().__init__()
        self.generator, self.critic = generator_net(), critic_net()

    def forward(self, noise):
        return self.critic(self.generator(noise))


def gan_generator():
    model = Generator()
    batches = [(torch.randn(8, 16), torch.ones(8, 1)) for _ in range(20)]
    return Training(model, batches, nn.BCEWithLogitsLoss(), fused_adam, list(model.generator.parameters()))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = critic_net()

    def forward(self, real, made) -> Tuple[Tensor, Tensor]:
        return self.critic(real), self.critic(made)


def hinge(output: Tuple[Tensor, Tensor], target: Tensor) -> Tensor:
    real, made = output
    return (F.relu(1 - real * target).mean() + F.relu(1 + made * target).mean()) / 2


def gan_critic():
    batches = [((torch.randn(8, 32), torch.randn(8, 32).tanh()), torch.ones(8, 1)) for _ in range(20)]
    return Training(Critic(), batches, hinge, fused_adam)


# ---- Sequences


class LstmTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 16, padding_idx=0)
        self.lstm = nn.LSTM(16, 24, num_layers=2, batch_first=True, bidirectional=True, dropout=0.2)
        self.tags = nn.Linear(48, 7)

    def forward(self, words):
        x, _ = self.lstm(self.words(words))
        return self.tags(x)


def tag_loss(output: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(output.flatten(0, 1), target.flatten(), ignore_index=0, label_smoothing=0.1)


def lstm_tagger():
    batches = [(labels(8, 50, 12), labels(8, 7, 12)) for _ in range(20)]
    return Training(LstmTagger(), batches, tag_loss, sgd)


class GruForecast(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(3, 24)
        self.next = nn.Linear(24, 3)

    def forward(self, series, hidden):
        x, hidden = self.gru(series, hidden)
        return self.next(x[-1]), hidden


def forecast_loss(output: Tuple[Tensor, Tensor], target: Tensor) -> Tensor:
    return F.huber_loss(output[0], target) + 1e-3 * output[1].square().mean()


def gru_forecast():
    """Time comes first, so a batch has no common number of rows."""
    batches = [((torch.randn(10, 6, 3), torch.zeros(1, 6, 24)), torch.randn(6, 3)) for _ in range(20)]
    return Training(GruForecast(), batches, forecast_loss, sgd, how="trace")


class LanguageModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 32)
        self.places = nn.Embedding(16, 32)
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.norm = nn.LayerNorm(32)
        self.out = nn.Linear(32, 40, bias=False)
        self.out.weight = self.words.weight
        self.register_buffer("later", torch.triu(torch.ones(16, 16, dtype=torch.bool), diagonal=1))

    def forward(self, words):
        places = torch.arange(words.size(1), device=words.device)
        x = self.words(words) + self.places(places)
        x = self.encoder(x, mask=self.later[:words.size(1), :words.size(1)])
        return self.out(self.norm(x)).transpose(1, 2)


def language_model():
    batches = [(text[:, :-1], text[:, 1:]) for text in labels(20, 40, 8, 13)]
    return Training(LanguageModel(), batches, F.cross_entropy, fused_adamw)


# ---- Others


class TiedMlp(nn.Module):
    """An encoder and a decoder that share a weight and an activation."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(32, 32)
        self.second = nn.Linear(32, 32)
        self.second.weight = self.first.weight
        self.last = nn.Linear(32, 5)

    def forward(self, x):
        return self.last(torch.tanh(self.second(torch.tanh(self.first(x)))))


def tied_mlp():
    batches = [(torch.randn(16, 32), labels(16, 5)) for _ in range(20)]
    return Training(TiedMlp(), batches, nn.CrossEntropyLoss(), sgd)


class BagClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(100, 16, mode="mean")
        self.out = nn.Linear(16, 3)

    def forward(self, words):
        return self.out(self.bag(words))


def bag_classifier():
    batches = [(labels(8, 100, 9), labels(8, 3)) for _ in range(20)]
    return Training(BagClassifier(), batches, "cross_entropy", lambda p: torch.optim.Adagrad(p, lr=0.05))


@dataclasses.dataclass
class Graph:
    nodes: Tensor
    edges: Tensor


class GraphConvolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(6, 16), nn.Linear(16, 4)

    def gather(self, x, edges):
        total = torch.zeros_like(x).index_add(0, edges[1], x[edges[0]])
        count = torch.zeros_like(x[:, 0]).index_add(0, edges[1], torch.ones_like(edges[1], dtype=x.dtype))
        return x + total / count.clamp(min=1).unsqueeze(1)

    def forward(self, nodes, edges):
        x = torch.relu(self.gather(self.first(nodes), edges))
        return self.gather(self.second(x), edges)


def graph_convolution():
    """Nodes and edges have different numbers of rows, and come as a dataclass."""
    batches = [(Graph(torch.randn(20, 6), labels(2, 20, 60)), labels(20, 4)) for _ in range(20)]
    return Training(GraphConvolution(), batches, nn.CrossEntropyLoss(), sgd)


ALL = [vision_transformer, u_net, lstm_tagger, gan_generator, gan_critic, detector, gru_forecast, tied_mlp,
       bag_classifier, conv_net, auto_encoder, graph_convolution, language_model]
