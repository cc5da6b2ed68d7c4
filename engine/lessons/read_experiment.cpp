// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/fields.h"
#include "engine/lessons/parameters.h"
#include "engine/lessons/read_blocks.h"
#include "engine/lessons/split_text.h"
#include "engine/policy/near_name.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace binade::lessons {

namespace {

constexpr std::array kRunKinds{std::pair{"train", RunKind::kTrain}, std::pair{"compare", RunKind::kCompare},
                               std::pair{"diagnose", RunKind::kDiagnose}};
constexpr std::array kRunViews{std::pair{"loss", RunView::kLoss},        std::pair{"loss-scale", RunView::kLossScale},
                               std::pair{"heat-map", RunView::kHeatMap}, std::pair{"gradient", RunView::kGradient},
                               std::pair{"op-calls", RunView::kOpCalls}, std::pair{"scaled-tail", RunView::kScaledTail},
                               std::pair{"casts", RunView::kCasts},      std::pair{"diagnosis", RunView::kDiagnosis}};
constexpr std::array kRecipeParts{std::pair{"loss-scale", RecipePart::kLossScale},
                                  std::pair{"master-weights", RecipePart::kMasterWeights}};

/// The value that a word of a field names; reports a word that names none.
template <class Value, std::size_t kCount>
std::optional<Value> named(const Field& field, std::string_view word,
                           const std::array<std::pair<const char*, Value>, kCount>& names, Problems& problems) {
  std::vector<std::string> known;
  std::string all;
  for (const auto& [name, each] : names) {
    if (word == name) return each;
    known.emplace_back(name);
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  problems.add(field.line, "\"" + field.key + "\" is \"" + std::string(word) + "\".",
               policy::did_you_mean(word, known) + "Write one of " + all + '.');
  return std::nullopt;
}

template <class Value, std::size_t kCount>
void read_named(const Field* field, const std::array<std::pair<const char*, Value>, kCount>& names, Value& value,
                Problems& problems) {
  if (field) value = named(*field, field->value, names, problems).value_or(value);
}

void read_count(const Field* field, double low, double high, int& value, Problems& problems) {
  if (!field) return;
  const ParameterKind kind{.name = field->key, .type = ParameterType::kCount, .low = low, .high = high};
  const auto read = parse_parameter(kind, field->value);
  if (const auto* wrong = std::get_if<NotAValue>(&read)) {
    problems.add(field->line, wrong->message, wrong->hint);
  } else {
    value = static_cast<int>(std::get<double>(std::get<Parameters::Value>(read)));
  }
}

void read_scale(const Field* field, std::optional<double>& scale, Problems& problems) {
  if (!field || field->value == "dynamic") return;
  const ParameterKind kind{.name = "scale", .low = 0x1p-24, .high = 0x1p24};
  const auto read = parse_parameter(kind, field->value);
  if (const auto* wrong = std::get_if<NotAValue>(&read)) {
    problems.add(field->line, wrong->message, "Write \"dynamic\" or a number. " + wrong->hint);
  } else {
    scale = std::get<double>(std::get<Parameters::Value>(read));
  }
}

void read_learning_rate(const Field* field, std::optional<double>& rate, Problems& problems) {
  if (!field) return;
  const ParameterKind kind{.name = "learning_rate", .low = 1e-8, .high = 10};
  const auto read = parse_parameter(kind, field->value);
  if (const auto* wrong = std::get_if<NotAValue>(&read)) {
    problems.add(field->line, wrong->message, wrong->hint);
  } else {
    rate = std::get<double>(std::get<Parameters::Value>(read));
  }
}

/// Reads the parts that a comparison switches off. Call it before read_policies().
void read_without(const Field* field, Experiment& experiment, Problems& problems) {
  if (!field) return;
  if (experiment.kind != RunKind::kCompare) {
    problems.add(field->line, "Only a comparison has \"without\".", "Write \"kind: compare\".");
  }
  for (const std::string_view word : words_of(field->value)) {
    const std::optional<RecipePart> part = named(*field, word, kRecipeParts, problems);
    if (!part) continue;
    if (std::find(experiment.without.begin(), experiment.without.end(), *part) != experiment.without.end()) {
      problems.add(field->line, "\"without\" names \"" + std::string(word) + "\" twice.", "Delete one of them.");
    }
    experiment.without.push_back(*part);
  }
  if (field->value.empty()) {
    problems.add(field->line, "\"without\" names no part.", "Write loss-scale, master-weights or both.");
  }
}

void read_policies(const Field* field, Experiment& experiment, Problems& problems) {
  if (!field) return;
  static const std::vector<std::string> known = [] {
    std::vector<std::string> names;
    for (const policy::Base base :
         {policy::Base::kCudaAmp, policy::Base::kCpuAmp, policy::Base::kApexO0, policy::Base::kApexO1,
          policy::Base::kApexO2, policy::Base::kApexO3, policy::Base::kAllFloat32}) {
      names.push_back(policy::name(base));
    }
    return names;
  }();
  for (const std::string_view word : words_of(field->value)) {
    if (const std::optional<policy::Base> base = policy::parse_base(word)) {
      experiment.policies.push_back(*base);
      continue;
    }
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
    problems.add(field->line, "There is no policy \"" + std::string(word) + "\".",
                 policy::did_you_mean(word, known) + "Policies are " + all + '.');
    return;
  }
  if (!experiment.without.empty()) {
    if (experiment.policies == std::vector{kRecipe}) return;
    problems.add(field->line, "\"without\" switches off parts of " + policy::name(kRecipe) + '.',
                 "Write \"policy: " + policy::name(kRecipe) + "\", and no other policy.");
    return;
  }
  const std::size_t count = experiment.policies.size();
  const bool compares = experiment.kind == RunKind::kCompare;
  if (compares ? count < 2 || count > 4 : count != 1) {
    problems.add(field->line, "\"policy\" names " + std::to_string(count) + " policies.",
                 compares ? "A comparison needs 2 to 4, with spaces between them." : "This kind of run needs one.");
  }
}

}  // namespace

std::optional<Experiment> read_experiment(const SourceBlock& block, Problems& problems) {
  Fields fields(block, problems);
  Experiment experiment;
  experiment.line = block.line;
  read_named(fields.need("kind", "kind: train"), kRunKinds, experiment.kind, problems);
  if (const Field* sample = fields.need("sample", "sample: mlp")) experiment.sample = sample->value;
  read_count(fields.take("steps"), 1, 5000, experiment.steps, problems);
  read_without(fields.take("without"), experiment, problems);
  read_policies(fields.need("policy", "policy: cuda-amp"), experiment, problems);
  read_scale(fields.take("scale"), experiment.scale, problems);
  read_learning_rate(fields.take("learning_rate"), experiment.learning_rate, problems);
  read_named(fields.take("show"), kRunViews, experiment.show, problems);
  read_count(fields.take("limit_s"), 1, 20, experiment.limit_s, problems);
  fields.report_rest({"kind", "sample", "steps", "policy", "without", "scale", "learning_rate", "show", "limit_s"});
  return experiment;
}

}  // namespace binade::lessons
