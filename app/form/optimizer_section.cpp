// SPDX-License-Identifier: Apache-2.0
#include "app/form/form_table.h"
#include "app/form/sections.h"
#include "app/model/translate.h"
#include "views/values/numbers.h"

#include <algorithm>

namespace binade::app {

namespace {

using wire::RunConfig;

FormSection::When isOneOf(std::vector<std::string> kinds) {
  return [kinds = std::move(kinds)](const RunConfig& config) {
    return std::find(kinds.begin(), kinds.end(), config.optimizer.kind) != kinds.end();
  };
}

bool changesWeights(const RunConfig& config) {
  return config.optimizer.kind != "none";
}

// Makes a column for a number that a group may leave to the optimizer.
FormColumn rateColumn(const char* key, const QString& title, const QString& tip,
                      std::optional<double> wire::ParameterGroup::*member) {
  FormColumn made;
  made.key = QString::fromLatin1(key);
  made.title = title;
  made.tip = tip;
  made.width = 110;
  made.show = [member](RunConfig& config, int row) {
    const auto& value = config.optimizer.groups[static_cast<std::size_t>(row)].*member;
    return value ? views::plainNumber(*value) : QString();
  };
  made.take = [member](RunConfig& config, int row, const QString& text) {
    auto& value = config.optimizer.groups[static_cast<std::size_t>(row)].*member;
    const auto number = parseNumber(text);
    if (!text.isEmpty() && !number) return tr("“%1” is not a number.").arg(text);
    value = text.isEmpty() ? std::nullopt : number;
    return QString();
  };
  return made;
}

FormTableSpec groups() {
  FormTableSpec made;
  made.title = tr("Parameter groups");
  made.empty = tr("All parameters use the settings above.");
  FormColumn match;
  match.key = QStringLiteral("match");
  match.title = tr("Parameters");
  match.tip =
      tr("Names of parameters: *.bias, or a module path for all parameters in it. The last matching group applies.");
  match.width = 170;
  match.show = [](RunConfig& config, int row) {
    return QString::fromStdString(config.optimizer.groups[static_cast<std::size_t>(row)].match);
  };
  match.take = [](RunConfig& config, int row, const QString& text) {
    config.optimizer.groups[static_cast<std::size_t>(row)].match = text.toStdString();
    return QString();
  };
  made.columns = {match,
                  rateColumn("learning_rate", tr("Learning rate"), tr("Empty: the optimizer's value."),
                             &wire::ParameterGroup::learning_rate),
                  rateColumn("weight_decay", tr("Weight decay"), tr("Empty: the optimizer's value."),
                             &wire::ParameterGroup::weight_decay)};
  made.rows = [](const RunConfig& config) { return static_cast<int>(config.optimizer.groups.size()); };
  made.rowPath = [](const RunConfig&, int row) { return QStringLiteral("optimizer.groups[%1]").arg(row); };
  made.addText = tr("Add a group");
  made.add = [](RunConfig& config) {
    config.optimizer.groups.push_back({.match = "*.bias", .learning_rate = {}, .weight_decay = 0.0});
  };
  made.remove = [](RunConfig& config, int row) {
    config.optimizer.groups.erase(config.optimizer.groups.begin() + row);
  };
  return made;
}

void addMoments(FormSection* section) {
  section->number(
      {QStringLiteral("optimizer.momentum"), tr("Momentum"), tr("Share of the last update that is retained.")},
      [](RunConfig& c) -> double& { return c.optimizer.momentum; }, {}, isOneOf({"sgd", "rmsprop"}));
  section->flag(
      {QStringLiteral("optimizer.nesterov"),
       QString(),
       tr("Evaluates the gradient ahead along the momentum."),
       {},
       true},
      [](RunConfig& c) -> bool& { return c.optimizer.nesterov; }, tr("Nesterov momentum"), isOneOf({"sgd"}));
  section->number(
      {QStringLiteral("optimizer.dampening"),
       tr("Dampening"),
       tr("Reduces the gradient's share in the momentum."),
       {},
       true},
      [](RunConfig& c) -> double& { return c.optimizer.dampening; }, {}, isOneOf({"sgd"}));
  section->number(
      {QStringLiteral("optimizer.beta1"), tr("Beta 1"), tr("Decay rate of the mean of gradients."), {}, true},
      [](RunConfig& c) -> double& { return c.optimizer.beta1; }, {}, isOneOf({"adam", "adamw"}));
  section->number(
      {QStringLiteral("optimizer.beta2"), tr("Beta 2"), tr("Decay rate of the mean of squared gradients."), {}, true},
      [](RunConfig& c) -> double& { return c.optimizer.beta2; }, {}, isOneOf({"adam", "adamw"}));
  section->flag(
      {QStringLiteral("optimizer.amsgrad"), QString(), tr("Uses the largest mean of squares so far."), {}, true},
      [](RunConfig& c) -> bool& { return c.optimizer.amsgrad; }, tr("AMSGrad"), isOneOf({"adam", "adamw"}));
  section->number(
      {QStringLiteral("optimizer.alpha"), tr("Alpha"), tr("Decay rate of the mean of squared gradients."), {}, true},
      [](RunConfig& c) -> double& { return c.optimizer.alpha; }, {}, isOneOf({"rmsprop"}));
  section->flag(
      {QStringLiteral("optimizer.centered"),
       QString(),
       tr("Divides by the variance instead of the mean of squares."),
       {},
       true},
      [](RunConfig& c) -> bool& { return c.optimizer.centered; }, tr("Centred"), isOneOf({"rmsprop"}));
  section->number(
      {QStringLiteral("optimizer.rate_decay"), tr("Rate decay"), tr("Decay of the learning rate per step."), {}, true},
      [](RunConfig& c) -> double& { return c.optimizer.rate_decay; }, {}, isOneOf({"adagrad"}));
  section->number(
      {QStringLiteral("optimizer.epsilon"),
       tr("Epsilon"),
       tr("Added to the divisor. Optimizers compute in float32, so 1e-8 does not become 0."),
       {},
       true},
      [](RunConfig& c) -> double& { return c.optimizer.epsilon; }, {},
      isOneOf({"adam", "adamw", "rmsprop", "adagrad"}));
}

void addSchedule(FormSection* section) {
  section->choice(
      {QStringLiteral("schedule.kind"), tr("Schedule"),
       tr("Schedule of the learning rate. It counts all steps, including skipped ones.")},
      [](RunConfig& c) -> std::string& { return c.schedule.kind; },
      {{QStringLiteral("constant"), tr("constant")},
       {QStringLiteral("step"), tr("in steps")},
       {QStringLiteral("cosine"), tr("cosine")}},
      changesWeights);
  const auto kind_is = [](const char* kind) {
    return [kind](const RunConfig& config) { return changesWeights(config) && config.schedule.kind == kind; };
  };
  section->whole(
      {QStringLiteral("schedule.every"), tr("Change every"), tr("Number of steps between changes."), tr("steps")},
      [](RunConfig& c) -> std::int64_t& { return c.schedule.every; }, {}, kind_is("step"));
  section->number(
      {QStringLiteral("schedule.factor"), tr("Factor"),
       tr("The learning rate is multiplied by this factor at each change.")},
      [](RunConfig& c) -> double& { return c.schedule.factor; }, {}, kind_is("step"));
  section->number(
      {QStringLiteral("schedule.floor"), tr("Final share"), tr("Share of the learning rate at the last step."),
       tr("of the rate")},
      [](RunConfig& c) -> double& { return c.schedule.floor; }, {}, kind_is("cosine"));
  section->whole(
      {QStringLiteral("schedule.warmup"), tr("Warm-up"),
       tr("Number of initial steps over which the learning rate rises."), tr("steps"), true},
      [](RunConfig& c) -> std::int64_t& { return c.schedule.warmup; }, tr("none"), changesWeights);
}

}  // namespace

FormSection* makeOptimizerSection(RunDocument* document) {
  auto* section = new FormSection(document, tr("Optimizer"));
  section->choice({QStringLiteral("optimizer.kind"), tr("Optimizer"),
                   tr("As PyTorch defines them. None: gradients are computed, but parameters do not change.")},
                  [](RunConfig& c) -> std::string& { return c.optimizer.kind; },
                  {{QStringLiteral("sgd"), QStringLiteral("SGD")},
                   {QStringLiteral("adam"), QStringLiteral("Adam")},
                   {QStringLiteral("adamw"), QStringLiteral("AdamW")},
                   {QStringLiteral("rmsprop"), QStringLiteral("RMSprop")},
                   {QStringLiteral("adagrad"), QStringLiteral("Adagrad")},
                   {QStringLiteral("none"), tr("none: gradients only")}});
  section->number(
      {QStringLiteral("optimizer.learning_rate"), tr("Learning rate"),
       tr("Learning rate of all parameters that no group sets.")},
      [](RunConfig& c) -> double& { return c.optimizer.learning_rate; }, {}, changesWeights);
  addMoments(section);
  section->number(
      {QStringLiteral("optimizer.weight_decay"),
       tr("Weight decay"),
       tr("Reduces weights towards 0 at each step."),
       {},
       true},
      [](RunConfig& c) -> double& { return c.optimizer.weight_decay; }, tr("none"), changesWeights);
  section->flag(
      {QStringLiteral("optimizer.fused"),
       QString(),
       tr("Uses one kernel for all tensors, which also unscales the gradients. The step does not wait for the host."),
       {},
       true},
      [](RunConfig& c) -> bool& { return c.optimizer.fused; }, tr("Fused"), isOneOf({"sgd", "adam", "adamw"}));
  addSchedule(section);
  section->number(
      {QStringLiteral("clip.norm"),
       tr("Clip norm"),
       tr("Maximum norm of all unscaled gradients together. A step with a non-finite gradient is not clipped."),
       {},
       true},
      [](RunConfig& c) -> double& { return c.clip.norm; }, tr("no limit"), changesWeights);
  section->number(
      {QStringLiteral("clip.value"),
       tr("Clip values"),
       tr("Maximum magnitude of an unscaled gradient value."),
       {},
       true},
      [](RunConfig& c) -> double& { return c.clip.value; }, tr("no limit"), changesWeights);
  section->table(new FormTable(document, groups()), changesWeights);
  return section;
}

}  // namespace binade::app
