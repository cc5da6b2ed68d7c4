// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast/scaled_cases.h"

#include "tests/support/places.h"

#include <ATen/ops/tensor.h>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <cstring>
#include <limits>

namespace binade::test {

namespace {

at::Tensor tensor_of(const QJsonObject& object) {
  const QByteArray bytes = QByteArray::fromBase64(object[u"values"].toString().toLatin1());
  std::vector<float> values(static_cast<std::size_t>(bytes.size()) / sizeof(float));
  std::memcpy(values.data(), bytes.constData(), values.size() * sizeof(float));
  std::vector<std::int64_t> shape;
  for (const QJsonValue& size : object[u"shape"].toArray()) shape.push_back(size.toInteger());
  return at::tensor(values).view(shape);
}

std::string numbers(const QJsonValue& list) {
  QStringList texts;
  for (const QJsonValue& number : list.toArray()) texts << QString::number(number.toInt());
  return "[" + texts.join(QStringLiteral(", ")).toStdString() + "]";
}

}  // namespace

std::vector<ScaledCase> scaled_cases() {
  QFile file(QStringLiteral(BINADE_TEST_DATA "/autocast/scaled_products.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  std::vector<ScaledCase> all;
  for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).object()[u"cases"].toArray()) {
    const QJsonObject object = value.toObject();
    ScaledCase& one = all.emplace_back();
    one.name = object[u"name"].toString();
    one.op = object[u"op"].toString();
    const QJsonObject products = object[u"products"].toObject();
    one.products.forward = policy::parse_operand(products[u"forward"].toString().toStdString());
    one.products.grad_input = policy::parse_operand(products[u"grad_input"].toString().toStdString());
    one.products.grad_weight = policy::parse_operand(products[u"grad_weight"].toString().toStdString());
    one.arguments = object[u"arguments"].toObject();
    for (const auto& [key, tensor] : {std::pair{u"x", &one.x},
                                      {u"w", &one.w},
                                      {u"g", &one.g},
                                      {u"y", &one.y},
                                      {u"dx", &one.dx},
                                      {u"dw", &one.dw}}) {
      *tensor = tensor_of(object[QStringView(key)].toObject());
    }
  }
  return all;
}

std::string text_of(const ScaledCase& of) {
  const std::string start = "def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.";
  if (of.op != QStringLiteral("convolution")) return start + of.op.toStdString() + "(x, w)\n";
  const QJsonObject& a = of.arguments;
  return start + "convolution(x, w, None, " + numbers(a[u"stride"]) + ", " + numbers(a[u"padding"]) + ", " +
         numbers(a[u"dilation"]) + ", " + (a[u"transposed"].toBool() ? "True" : "False") + ", " +
         numbers(a[u"output_padding"]) + ", " + std::to_string(a[u"groups"].toInt()) + ")\n";
}

double relative_difference(const at::Tensor& got, const at::Tensor& expected) {
  if (!got.defined() || got.sizes() != expected.sizes()) return std::numeric_limits<double>::infinity();
  const at::Tensor wanted = expected.to(at::kDouble);
  const at::Tensor difference = got.detach().to(at::kDouble).sub(wanted).abs();
  return difference.max().item<double>() / wanted.abs().max().item<double>();
}

policy::Policy scaled_policy(const policy::Products& products, formats::Format results) {
  policy::Policy policy;
  policy.base = policy::Base::kAllFloat32;
  policy::SiteRule& rule = policy.sites.emplace_back();
  rule.match = "*";
  rule.format = results;
  rule.products = products;
  return policy;
}

policy::Products all_products(const char* format) {
  policy::Products products;
  products.forward = products.grad_input = products.grad_weight = policy::parse_operand(format);
  return products;
}

}  // namespace binade::test
