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
  section->text({QStringLiteral("name"), tr("Name"), tr("Name of the run in the window and in the run file.")},
                [](RunConfig& c) -> std::string& { return c.name; });
  section->path(
      {QStringLiteral("weights"),
       tr("Initial weights"),
       tr("A safetensors or torch.save file. Empty: the weights in the model file."),
       {},
       true},
      [](RunConfig& c) -> std::string& { return c.weights; },
      tr("Weights (*.safetensors *.pt *.pth *.bin *.ckpt);;All files (*)"));
  section->choice({QStringLiteral("device"), tr("Device"), tr("Device on which the run trains."), {}, true},
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
       tr("Level of observation. The cost rises from Off to What-if."),
       {},
       true},
      [](RunConfig& c) -> std::string& { return c.observe.level; }, levels);
  const auto observed = [](const RunConfig& c) { return c.observe.level != "off"; };
  section->whole(
      {QStringLiteral("observe.every"), tr("Observe every"),
       tr("Interval between observed steps. Loss and gradients are checked on every step."), tr("steps"), true},
      [](RunConfig& c) -> std::int64_t& { return c.observe.every; }, {}, observed);
  section->choice(
      {QStringLiteral("observe.between"),
       tr("Steps between"),
       tr("Level of observation on the steps between."),
       {},
       true},
      [](RunConfig& c) -> std::string& { return c.observe.between; },
      {{QStringLiteral("finite"), observeLevelName("finite")}, {QStringLiteral("off"), observeLevelName("off")}},
      [observed](const RunConfig& c) { return observed(c) && c.observe.every > 1; });
  section->text(
      {QStringLiteral("observe.sites"),
       tr("Observe only"),
       tr("Observe only op calls that match this pattern, as in a policy: layer4.*/aten::conv2d#*."),
       {},
       true},
      [](RunConfig& c) -> std::string& { return c.observe.sites; }, tr("all op calls"), observed);
  section->flag(
      {QStringLiteral("observe.inputs"), QString(), observeInputsTip(), {}, true},
      [](RunConfig& c) -> bool& { return c.observe.inputs; }, tr("Also observe arguments"), observed);
  section->flag(
      {QStringLiteral("observe.parameters"), QString(), observeParametersTip(), {}, true},
      [](RunConfig& c) -> bool& { return c.observe.parameters; }, tr("Also observe parameters"), observed);
}

}  // namespace

FormSection* makeTrainingSection(RunDocument* document) {
  auto* section = new FormSection(document, tr("Training"));
  section->whole({QStringLiteral("batch"), tr("Batch"), tr("Number of examples in a batch."), tr("examples")},
                 [](RunConfig& c) -> std::int64_t& { return c.batch; });
  section->whole(
      {QStringLiteral("accumulate"), tr("Accumulate"),
       tr("Number of batches whose gradients are accumulated in one step. All use the same policy and scale."),
       tr("batches per step"), true},
      [](RunConfig& c) -> std::int64_t& { return c.accumulate; });
  section->whole(
      {QStringLiteral("steps"), tr("Steps"), tr("Number of optimizer steps, including skipped ones."), tr("steps")},
      [](RunConfig& c) -> std::int64_t& { return c.steps; });
  section->whole(
      {QStringLiteral("evaluate_every"), tr("Evaluate every"),
       tr("Interval of evaluations on the held-out data. The end of the run is always evaluated."), tr("steps"), true},
      [](RunConfig& c) -> std::int64_t& { return c.evaluate_every; }, tr("at the end"));
  section->choice({QStringLiteral("skipped"),
                   tr("Skipped step's data"),
                   tr("Determines whether the batches of an overflowing step are repeated with the lower scale."),
                   {},
                   true},
                  [](RunConfig& c) -> std::string& { return c.skipped; },
                  {{QStringLiteral("drop"), tr("is dropped")}, {QStringLiteral("replay"), tr("is repeated")}});
  section->flag(
      {QStringLiteral("keep_buffers"),
       QString(),
       tr("If this is off, one overflowing batch can leave NaN in the running mean of a batch norm permanently."),
       {},
       true},
      [](RunConfig& c) -> bool& { return c.keep_buffers; }, tr("Restore buffers after a skipped step"));
  section->choice({QStringLiteral("batch_norm"),
                   tr("Batch norms on ranks"),
                   tr("On several ranks: whether a batch norm uses the statistics of the rank's own examples or of the "
                      "whole batch. A run in one process is the same either way."),
                   {},
                   true},
                  [](RunConfig& c) -> std::string& { return c.batch_norm; },
                  {{QStringLiteral("local"), tr("use their own examples")},
                   {QStringLiteral("synchronised"), tr("use the whole batch")}});
  section->whole(
      {QStringLiteral("diverged_after"), tr("Pause on divergence"),
       tr("Number of consecutive non-finite losses before the run pauses."), tr("losses"), true},
      [](RunConfig& c) -> std::int64_t& { return c.diverged_after; }, tr("never"));
  addObserving(section);
  return section;
}

FormSection* makeKeepingSection(RunDocument* document) {
  auto* section = new FormSection(document, tr("Saved files"));
  section->whole(
      {QStringLiteral("checkpoint.every"), tr("Checkpoint every"),
       tr("Interval of checkpoints. They are also saved before each edit of the policy and at the end."), tr("steps")},
      [](RunConfig& c) -> std::int64_t& { return c.checkpoint.every; }, tr("at edits only"));
  section->whole({QStringLiteral("checkpoint.keep"), tr("Keep the last"),
                  tr("Number of newest checkpoints to keep of each kind. Older ones are deleted."), tr("checkpoints")},
                 [](RunConfig& c) -> std::int64_t& { return c.checkpoint.keep; });
  section->path(
      {QStringLiteral("checkpoint.folder"), tr("Checkpoint folder"), tr("Empty: next to the run file."), {}, true},
      [](RunConfig& c) -> std::string& { return c.checkpoint.folder; }, {});
  section->path(
      {QStringLiteral("resume"), tr("Resume from"), tr("A checkpoint to resume. The run uses its policy."), {}, true},
      [](RunConfig& c) -> std::string& { return c.resume; }, tr("Checkpoints (*.safetensors);;All files (*)"));
  section->text({QStringLiteral("run_file"),
                 tr("Run file"),
                 tr("File in which the run is recorded. Empty: the run is not recorded."),
                 {},
                 true},
                [](RunConfig& c) -> std::string& { return c.run_file; });
  return section;
}

}  // namespace binade::app
