// SPDX-License-Identifier: Apache-2.0
#include "app/synthetic_inputs.h"

#include <algorithm>
#include <string_view>

namespace binade::app {

namespace {

constexpr std::int64_t kSide = 32;     // of a picture; large enough for five poolings
constexpr std::int64_t kPicture = 28;  // of Fashion-MNIST, for one channel
constexpr std::int64_t kSequence = 16;

bool calls(const wire::ModelInfo& model, std::string_view op) {
  return std::any_of(model.sites.begin(), model.sites.end(),
                     [&](const wire::SiteInfo& site) { return site.key.op == op; });
}

QString guessTensor(const wire::ModelInfo& model, std::int64_t batch) {
  const auto weight = std::find_if(model.parameters.begin(), model.parameters.end(),
                                   [](const wire::TensorInfo& parameter) { return parameter.shape.size() >= 2; });
  const QString n = QString::number(batch);
  if (weight == model.parameters.end()) return QStringLiteral("float32[%1,10]").arg(n);
  const std::vector<std::int64_t>& shape = weight->shape;
  if (shape.size() == 4) {
    const std::int64_t side = shape[1] == 1 ? kPicture : kSide;
    return QStringLiteral("float32[%1,%2,%3,%3]").arg(n).arg(shape[1]).arg(side);
  }
  if (shape.size() == 3) return QStringLiteral("float32[%1,%2,%3]").arg(n).arg(shape[1]).arg(kSequence * 4);
  if (calls(model, "aten::lstm") || calls(model, "aten::gru")) {
    return QStringLiteral("float32[%1,%2,%3]").arg(n).arg(kSequence).arg(shape[1]);
  }
  if (calls(model, "aten::embedding")) return QStringLiteral("int64[%1,%2]<%3").arg(n).arg(kSequence).arg(shape[0]);
  return QStringLiteral("float32[%1,%2]").arg(n).arg(shape[1]);
}

}  // namespace

QStringList guessInputs(const wire::ModelInfo& model, std::int64_t batch) {
  QStringList specs;
  for (const wire::ArgumentInfo& input : model.inputs) {
    if (!input.default_value.empty()) continue;
    const std::string& type = input.type;
    if (type == "int") {
      specs << QStringLiteral("1");
    } else if (type == "float") {
      specs << QStringLiteral("0.5");
    } else if (type == "bool") {
      specs << QStringLiteral("true");
    } else if (type.rfind("Optional", 0) == 0) {
      specs << QStringLiteral("none");
    } else if (type.rfind("Dict[str, Tensor]", 0) == 0) {
      specs << QStringLiteral("dict(\"x\": %1)").arg(guessTensor(model, batch));
    } else if (type.rfind("List[Tensor]", 0) == 0) {
      specs << QStringLiteral("list(%1)").arg(guessTensor(model, batch));
    } else {
      specs << guessTensor(model, batch);
    }
  }
  return specs;
}

}  // namespace binade::app
