// SPDX-License-Identifier: Apache-2.0
#include "app/form/propose_run.h"

#include "app/form/synthetic_inputs.h"
#include "app/session/fashion_data.h"

#include <QFileInfo>

namespace binade::app {

namespace {

bool takesFashionPictures(const wire::ModelInfo& model) {
  int needed = 0;
  for (const wire::ArgumentInfo& input : model.inputs) needed += input.default_value.empty() ? 1 : 0;
  return needed == 1 && model.inputs.front().guess == "float32[N,1,28,28]";
}

// Returns the number of outputs of the model's last matrix of weights: random labels below it fit a classifier. Without
// one, the default.
std::int64_t outputsOf(const wire::ModelInfo& model, std::int64_t otherwise) {
  for (auto tensor = model.parameters.rbegin(); tensor != model.parameters.rend(); ++tensor) {
    if (tensor->shape.size() == 2 && tensor->shape.front() > 1) return tensor->shape.front();
  }
  return otherwise;
}

wire::RunConfig namedAfter(const wire::ModelInfo& model) {
  wire::RunConfig config;
  config.model = model.file;
  config.name = QFileInfo(QString::fromStdString(model.file)).completeBaseName().toStdString();
  for (const GuessedInput& input : guessInputs(model, config.batch)) {
    config.data.inputs.push_back(input.spec.toStdString());
  }
  return config;
}

}  // namespace

wire::RunConfig proposeRun(const wire::ModelInfo& model) {
  wire::RunConfig config = namedAfter(model);
  config.optimizer.momentum = 0.9;
  config.data.classes = outputsOf(model, config.data.classes);
  config.data.folder = fashionFolder();
  config.data.mean = kFashionMean;
  config.data.deviation = kFashionDeviation;
  config.data.kind = !config.data.folder.empty() && takesFashionPictures(model) ? "idx" : "synthetic";
  return config;
}

wire::RunConfig proposeFailedRun(const wire::ModelInfo& model) {
  wire::RunConfig config = namedAfter(model);
  config.name += ", one step";
  config.data.kind = "files";
  config.optimizer.kind = "none";
  config.steps = 1;
  config.observe = {.level = "histogram", .every = 1};
  config.scaler.fixed = true;  // one step does not change the scale that the run had
  return config;
}

}  // namespace binade::app
