// SPDX-License-Identifier: Apache-2.0
#include "app/form/sections.h"
#include "app/model/translate.h"
#include "app/present/observe_words.h"

namespace binade::app {

namespace {

using wire::RunConfig;

}  // namespace

FormSection* makeStartSection(RunDocument* document) {
  auto* section = new FormSection(document, tr("Run"));
  section->text({QStringLiteral("name"), tr("&Name"), tr("What the window and the run file are called by.")},
                [](RunConfig& c) -> std::string& { return c.name; });
  section->path(
      {QStringLiteral("weights"),
       tr("Begin &with weights"),
       tr("safetensors, or what torch.save wrote. Empty: the model's own."),
       {},
       true},
      [](RunConfig& c) -> std::string& { return c.weights; },
      tr("Weights (*.safetensors *.pt *.pth *.bin *.ckpt);;All files (*)"));
  section->choice({QStringLiteral("device"), tr("Device"), tr("Where it trains."), {}, true},
                  [](RunConfig& c) -> std::string& { return c.device; },
                  {{QStringLiteral("cpu"), QStringLiteral("CPU")}, {QStringLiteral("cuda"), QStringLiteral("CUDA")}});
  return section;
}

namespace {

void addObserving(FormSection* section) {
  QList<QPair<QString, QString>> levels;
  for (const ObserveLevel& level : observeLevels()) levels.append({QString::fromLatin1(level.id), level.name});
  section->choice(
      {QStringLiteral("observe.level"),
       tr("Observe"),
       tr("How closely each step is looked at; dearer from Off to What-if."),
       {},
       true},
      [](RunConfig& c) -> std::string& { return c.observe.level; }, levels);
  const auto observed = [](const RunConfig& c) { return c.observe.level != "off"; };
  section->whole(
      {QStringLiteral("observe.every"), tr("Observe every"),
       tr("Loss and gradients are checked on every step, whatever stands here."), tr("steps"), true},
      [](RunConfig& c) -> std::int64_t& { return c.observe.every; }, {}, observed);
  section->choice(
      {QStringLiteral("observe.between"), tr("Steps between"), tr("What is looked at in them."), {}, true},
      [](RunConfig& c) -> std::string& { return c.observe.between; },
      {{QStringLiteral("finite"), observeLevelName("finite")}, {QStringLiteral("off"), observeLevelName("off")}},
      [observed](const RunConfig& c) { return observed(c) && c.observe.every > 1; });
  section->text(
      {QStringLiteral("observe.sites"),
       tr("Observe only"),
       tr("Op calls that this matches, as in a policy: layer4.*/aten::conv2d#*."),
       {},
       true},
      [](RunConfig& c) -> std::string& { return c.observe.sites; }, tr("all op calls"), observed);
  section->flag(
      {QStringLiteral("observe.inputs"), QString(), observeInputsTip(), {}, true},
      [](RunConfig& c) -> bool& { return c.observe.inputs; }, tr("Observe arguments too"), observed);
  section->flag(
      {QStringLiteral("observe.parameters"), QString(), observeParametersTip(), {}, true},
      [](RunConfig& c) -> bool& { return c.observe.parameters; }, tr("Observe parameters too"), observed);
}

}  // namespace

FormSection* makeTrainingSection(RunDocument* document) {
  auto* section = new FormSection(document, tr("Training"));
  section->whole(
      {QStringLiteral("batch"), tr("&Batch"), tr("Examples that go through the model at once."), tr("examples")},
      [](RunConfig& c) -> std::int64_t& { return c.batch; });
  section->whole({QStringLiteral("accumulate"), tr("Accumulate"),
                  tr("Batches whose gradients add up to one step; one "
                     "policy and one scale for all of them."),
                  tr("batches a step"), true},
                 [](RunConfig& c) -> std::int64_t& { return c.accumulate; });
  section->whole({QStringLiteral("steps"), tr("S&teps"), tr("Optimizer steps, skipped ones too."), tr("steps")},
                 [](RunConfig& c) -> std::int64_t& { return c.steps; });
  section->whole(
      {QStringLiteral("evaluate_every"), tr("Evaluate every"),
       tr("On the data that is held out; always at the "
          "end."),
       tr("steps"), true},
      [](RunConfig& c) -> std::int64_t& { return c.evaluate_every; }, tr("at the end"));
  section->choice({QStringLiteral("skipped"),
                   tr("A skipped step's data"),
                   tr("Whether batches of a step that overflowed are "
                      "taken again with the lower scale."),
                   {},
                   true},
                  [](RunConfig& c) -> std::string& { return c.skipped; },
                  {{QStringLiteral("drop"), tr("is dropped")}, {QStringLiteral("replay"), tr("comes again")}});
  section->flag(
      {QStringLiteral("keep_buffers"),
       QString(),
       tr("Without it one overflowing batch can leave NaN in a batch "
          "norm's running mean for ever."),
       {},
       true},
      [](RunConfig& c) -> bool& { return c.keep_buffers; }, tr("A skipped step leaves buffers as they were"));
  section->whole(
      {QStringLiteral("diverged_after"), tr("Pause when diverged"),
       tr("Losses in a row that are not finite "
          "before the run pauses."),
       tr("losses"), true},
      [](RunConfig& c) -> std::int64_t& { return c.diverged_after; }, tr("never"));
  addObserving(section);
  return section;
}

FormSection* makeKeepingSection(RunDocument* document) {
  auto* section = new FormSection(document, tr("Kept on disk"));
  section->whole(
      {QStringLiteral("checkpoint.every"), tr("&Checkpoint every"),
       tr("One is also kept at each edit of the policy "
          "and at the end."),
       tr("steps")},
      [](RunConfig& c) -> std::int64_t& { return c.checkpoint.every; }, tr("at edits"));
  section->whole({QStringLiteral("checkpoint.keep"), tr("Keep the last"),
                  tr("Older ones are deleted; of each sort as many."), tr("checkpoints")},
                 [](RunConfig& c) -> std::int64_t& { return c.checkpoint.keep; });
  section->path(
      {QStringLiteral("checkpoint.folder"), tr("Checkpoint folder"), tr("Empty: beside the run file."), {}, true},
      [](RunConfig& c) -> std::string& { return c.checkpoint.folder; }, {});
  section->path(
      {QStringLiteral("resume"),
       tr("Go on from"),
       tr("A checkpoint to resume; its policy is in force then."),
       {},
       true},
      [](RunConfig& c) -> std::string& { return c.resume; }, tr("Checkpoints (*.safetensors);;All files (*)"));
  section->text(
      {QStringLiteral("run_file"), tr("Run file"), tr("Where the run is recorded. Empty: nowhere."), {}, true},
      [](RunConfig& c) -> std::string& { return c.run_file; });
  return section;
}

}  // namespace binade::app
