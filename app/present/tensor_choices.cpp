// SPDX-License-Identifier: Apache-2.0
#include "app/present/tensor_choices.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/observe_words.h"
#include "app/present/site_text.h"

#include <algorithm>

namespace binade::app {

namespace {

using Kind = wire::WatchedTensor::Kind;

// Order in the list: gradients of outputs, of arguments and of parameters, then the forward tensors.
constexpr Kind kOrder[] = {Kind::kOutputGradient, Kind::kInputGradient, Kind::kParameterGradient,
                           Kind::kOutput,         Kind::kInput,         Kind::kParameter};

// Lower is better. A weight's gradient leaves the op call's own backward, and is observed before rounding if that is
// emulated. An output's gradient was rounded elsewhere. The gradient of an activation is the output gradient of the op
// call before.
int chartRank(const wire::WatchedTensor& tensor) {
  switch (tensor.kind) {
    case Kind::kInputGradient:
      return tensor.argument == "weight" ? 0 : 2;
    case Kind::kOutputGradient:
      return 1;
    case Kind::kParameterGradient:
      return 3;
    case Kind::kOutput:
      return 4;
    case Kind::kInput:
      return 5;
    case Kind::kParameter:
      break;
  }
  return 6;
}

// Returns whether a tensor is only scanned at level histogram on a CPU: outputs, and gradients between two native op
// calls.
bool isOftenScanned(const wire::WatchedTensor& tensor) {
  const bool passing = tensor.kind == Kind::kInputGradient && !tensor.emulated && tensor.argument != "weight";
  return tensor.kind == Kind::kOutput || passing;
}

const char* levelFor(const RunModel& run, const wire::WatchedTensor& tensor) {
  // Level range counts the binades of all tensors.
  if (run.config().observe.level == "range" || tensor.kind == Kind::kInput || isOfParameter(tensor)) return "range";
  // On a GPU, outputs have histograms at that level already.
  return isOftenScanned(tensor) && run.config().device == "cpu" ? "what-if" : "histogram";
}

/// Returns what a level that is too low for a tensor reports of it.
QString checkedText(const wire::WatchedTensor& tensor, const std::string& level) {
  const Kind kind = tensor.kind;
  if (level == "off") return tr("Nothing is observed.");
  if (level == "histogram" && kind == Kind::kInputGradient)
    return tr("Gradients of arguments are only checked for finiteness.");
  if (kind == Kind::kOutput) return tr("Outputs are only checked for finiteness.");
  if (kind == Kind::kInput) return tr("Arguments are only checked for finiteness.");
  return kind == Kind::kParameter ? tr("Parameters are only checked for finiteness.")
                                  : tr("Gradients are only checked for finiteness.");
}

/// Explains why a tensor has no histogram, and what would give it one. `seen`: the tensor was observed before.
void explain(TensorChoice& choice, const RunModel& run, bool seen) {
  const wire::ObserveConfig& now = run.config().observe;
  wire::ObserveConfig wanted = atLeast(now, levelFor(run, choice.watched));
  const bool inputs = choice.watched.kind == Kind::kInput;
  const bool parameters = isOfParameter(choice.watched);
  if (inputs) wanted.inputs = true;
  if (parameters) wanted.parameters = true;
  choice.observe = wanted;
  const QString level = observeLevelName(wanted.level);
  if (inputs && !now.inputs) {
    choice.headline = tr("Arguments are not observed.");
    choice.sentence = tr("They show which values the cast into an op call makes 0 or inf.");
    choice.remedy = tr("Also observe arguments");
  } else if (parameters && !now.parameters) {
    choice.headline = tr("Parameters are not observed.");
    choice.sentence = tr("They show the stored values, and the unscaled gradient that the optimizer receives.");
    choice.remedy = tr("Also observe parameters");
  } else if (wanted.level != now.level) {
    choice.headline = checkedText(choice.watched, now.level);
    choice.sentence = tr("Level %1 records no histogram of this tensor. Level %2 records it.")
                          .arg(observeLevelName(now.level), level);
    choice.remedy = tr("Observe at level %1").arg(level);
  } else if (inputs && !seen) {
    choice.headline = tr("No cast of an argument of this op call has been observed.");
    choice.sentence =
        tr("Arguments that already have its format are not cast; the op calls that produced them show their values. A "
           "cast argument appears after the next observed step.");
  } else if (choice.watched.kind == Kind::kOutputGradient && !seen && run.hasObservations()) {
    choice.headline = tr("No gradient has been observed here.");
    choice.sentence =
        tr("An op call with no trained parameter before it receives no gradient. Otherwise, the gradient appears after "
           "the next observed step.");
  } else {
    choice.headline = tr("Not observed yet.");
    choice.sentence = tr("It appears after the next observed step.");
  }
  if (run.isActive()) return;
  // The run has ended: nothing more can be observed.
  choice.remedy.clear();
  if (wanted == now) choice.sentence = tr("The run ended before it was observed.");
}

QString aboutText(Kind kind) {
  switch (kind) {
    case Kind::kOutput:
      return tr("The output of the op call in the forward pass.");
    case Kind::kOutputGradient:
      return tr("The gradient that the following op calls propagate to this output, multiplied by the loss scale.");
    case Kind::kInputGradient:
      return tr("The gradient that the op call's backward computes for this argument, multiplied by the loss scale.");
    case Kind::kInput:
      return tr("The argument of the op call, observed before its cast to the op call's format.");
    case Kind::kParameter:
      return tr("The stored parameter of the model, before the optimizer step.");
    case Kind::kParameterGradient:
      return tr(
          "The gradient that the optimizer receives: the sum of all gradients of the parameter, divided by the loss "
          "scale.");
  }
  return {};
}

QString placeholderText(Kind kind) {
  switch (kind) {
    case Kind::kOutput:
      return tr("output");
    case Kind::kOutputGradient:
      return tr("gradient of the output");
    case Kind::kInputGradient:
      return tr("gradients of arguments");
    case Kind::kInput:
      return tr("arguments, before their cast");
    case Kind::kParameter:
      return tr("parameters");
    case Kind::kParameterGradient:
      return tr("gradients of parameters, ÷ scale");
  }
  return {};
}

/// Returns whether a parameter belongs to another op call: the engine declares it for the first op call that takes it.
bool isTakenElsewhere(const RunModel& run, int site, const std::string& name) {
  return std::any_of(run.tensors().begin(), run.tensors().end(), [&](const auto& each) {
    const wire::WatchedTensor& tensor = each.second.tensor;
    return tensor.kind == Kind::kParameter && tensor.argument == name && tensor.site != site;
  });
}

/// Returns whether the op call's module has a parameter that may still turn out to be taken by it.
bool takesParameters(const RunModel& run, int site) {
  const auto at = static_cast<std::size_t>(site);
  if (site < 0 || at >= run.sites().size()) return false;
  const std::string& path = run.sites()[at].key.path;
  const auto& parameters = run.modelInfo().parameters;
  return std::any_of(parameters.begin(), parameters.end(), [&](const wire::TensorInfo& parameter) {
    const auto dot = parameter.name.rfind('.');
    return dot != std::string::npos && parameter.trainable && parameter.name.compare(0, dot, path) == 0 &&
           dot == path.size() && !isTakenElsewhere(run, site, parameter.name);
  });
}

/// Returns whether a tensor of this kind is listed although none was observed.
bool isExpected(const RunModel& run, int site, Kind kind) {
  switch (kind) {
    case Kind::kOutput:
    case Kind::kOutputGradient:
    case Kind::kInput:
      return site >= 0;
    case Kind::kInputGradient:
      return false;
    case Kind::kParameter:
    case Kind::kParameterGradient:
      return takesParameters(run, site);
  }
  return false;
}

}  // namespace

bool TensorChoice::names(const wire::WatchedTensor& tensor) const {
  return watched.kind == tensor.kind && watched.argument == tensor.argument;
}

std::vector<TensorChoice> tensorChoices(const RunModel& run, int site) {
  std::vector<TensorChoice> choices;
  for (const Kind kind : kOrder) {
    const auto before = choices.size();
    for (const int id : run.tensorsOf(site)) {
      const TensorTrack& track = *run.tensor(id);
      if (track.tensor.kind != kind) continue;
      TensorChoice& choice = choices.emplace_back();
      choice.watched = track.tensor;
      choice.text = tensorWords(track.tensor);
      choice.about = aboutText(kind);
      if (!track.histograms.empty()) continue;
      choice.watched.id = -1;
      explain(choice, run, true);
    }
    if (choices.size() > before || !isExpected(run, site, kind)) continue;
    TensorChoice& missing = choices.emplace_back();
    missing.watched.id = -1;
    missing.watched.site = site;
    missing.watched.kind = kind;
    missing.text = placeholderText(kind);
    missing.about = aboutText(kind);
    explain(missing, run, false);
  }
  return choices;
}

std::vector<int> sitesWithTensors(const RunModel& run) {
  std::vector<int> sites;
  for (const wire::SiteInfo& site : run.sites()) {
    if (!run.tensorsOf(site.id).empty()) sites.push_back(site.id);
  }
  if (!run.tensorsOf(-1).empty()) sites.push_back(-1);
  return sites;
}

int chartTensorOf(const RunModel& run, int site) {
  int best = -1;
  for (const int id : run.tensorsOf(site)) {
    if (run.tensor(id)->histograms.empty()) continue;
    if (best < 0 || chartRank(run.tensor(id)->tensor) < chartRank(run.tensor(best)->tensor)) best = id;
  }
  return best;
}

int earliestGradient(const RunModel& run) {
  for (const wire::SiteInfo& site : run.sites()) {
    const int id = chartTensorOf(run, site.id);
    if (id >= 0 && wire::is_scaled(run.tensor(id)->tensor)) return id;
  }
  return -1;
}

int lastGradientWithValues(const RunModel& run) {
  for (auto site = run.sites().rbegin(); site != run.sites().rend(); ++site) {
    const int id = chartTensorOf(run, site->id);
    if (id < 0 || !wire::is_scaled(run.tensor(id)->tensor)) continue;
    if (run.tensor(id)->histograms.latest().largest > 0) return id;
  }
  return -1;
}

}  // namespace binade::app
