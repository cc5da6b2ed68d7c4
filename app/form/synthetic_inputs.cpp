// SPDX-License-Identifier: Apache-2.0
#include "app/form/synthetic_inputs.h"

#include "app/model/translate.h"

namespace binade::app {

namespace {

/// Returns the SPEC of a tensor as the engine derived it from the layers, with the batch size filled in.
GuessedInput guessTensor(const wire::ArgumentInfo& input, std::int64_t batch) {
  const QString n = QString::number(batch);
  if (!input.guess) return {QStringLiteral("float32[%1,10]").arg(n), tr("no layer determines it")};
  QString spec = QString::fromStdString(*input.guess);
  spec.replace(QStringLiteral("[N"), u'[' + n);
  return {spec, QString::fromStdString(input.guess_from.value_or(""))};
}

}  // namespace

QList<GuessedInput> guessInputs(const wire::ModelInfo& model, std::int64_t batch) {
  QList<GuessedInput> guesses;
  for (const wire::ArgumentInfo& input : model.inputs) {
    if (!input.default_value.empty()) continue;
    const std::string& type = input.type;
    const QString byType = tr("argument type %1").arg(QString::fromStdString(type));
    const auto inside = [&](const QString& pattern) {
      const GuessedInput tensor = guessTensor(input, batch);
      return GuessedInput{pattern.arg(tensor.spec), tensor.from};
    };
    if (type == "int") {
      guesses << GuessedInput{QStringLiteral("1"), byType};
    } else if (type == "float") {
      guesses << GuessedInput{QStringLiteral("0.5"), byType};
    } else if (type == "bool") {
      guesses << GuessedInput{QStringLiteral("true"), byType};
    } else if (type.rfind("Optional", 0) == 0) {
      guesses << GuessedInput{QStringLiteral("none"), byType};
    } else if (type.rfind("Dict[str, Tensor]", 0) == 0) {
      guesses << inside(QStringLiteral("dict(\"x\": %1)"));
    } else if (type.rfind("List[Tensor]", 0) == 0) {
      guesses << inside(QStringLiteral("list(%1)"));
    } else {
      guesses << guessTensor(input, batch);
    }
  }
  return guesses;
}

}  // namespace binade::app
