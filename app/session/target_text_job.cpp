// SPDX-License-Identifier: Apache-2.0
#include "app/session/target_text_job.h"

#include "engine/formats/error.h"
#include "engine/targets/policy_notes.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace binade::app {

namespace {

// A text edit lays out all its lines, and a very long one for each repaint.
constexpr qsizetype kPreviewLines = 2000;
constexpr qsizetype kPreviewCharacters = 400'000;

void addPreview(TargetText& made) {
  const QString whole = QString::fromStdString(made.text);
  qsizetype lines = 0;
  qsizetype end = 0;
  while (end < whole.size() && lines < kPreviewLines) {
    const qsizetype next = whole.indexOf(u'\n', end);
    const qsizetype after = next < 0 ? whole.size() : next + 1;
    if (after > kPreviewCharacters) break;
    end = after;
    ++lines;
  }
  if (end == whole.size()) {
    made.preview = whole;
    return;
  }
  if (end == 0) {
    end = kPreviewCharacters;
    if (whole[end - 1].isHighSurrogate()) --end;
    made.cut = TargetTextJob::tr("The preview shows the first %1 characters. Copy and Save use the whole text.")
                   .arg(views::grouped(end));
  } else {
    const qsizetype all = whole.count(u'\n') + (whole.endsWith(u'\n') ? 0 : 1);
    made.cut = TargetTextJob::tr("The preview shows the first %1 of %2 lines. Copy and Save use the whole text.")
                   .arg(views::grouped(lines), views::grouped(all));
  }
  made.preview = whole.left(end);
}

QString proofSentence(const std::optional<targets::Proof>& proof) {
  if (!proof) return TargetTextJob::tr("Not read back: this target is for people.");
  const auto all = static_cast<qsizetype>(proof->op_calls);
  const auto equal = all - static_cast<qsizetype>(proof->different.size());
  const QString text =
      TargetTextJob::tr("Read back: %1 of %2 op calls equal.").arg(views::grouped(equal), views::grouped(all));
  return proof->scaler_equal ? text : text + TargetTextJob::tr(" The loss scaler differs.");
}

void addFindings(TargetText& made, const targets::Written& written, const AssignedRun& run) {
  const targets::Assignment& in = run.assignment();
  for (const targets::Finding& each : written.findings) made.findings << exportFinding(each);
  for (const targets::Finding& each : targets::notes_of(in.policy, in.table)) made.findings << exportFinding(each);
  const auto note = [&made](const QString& message) {
    made.findings << ExportFinding{QStringLiteral("note"), message, {}};
  };
  for (const std::string& rule : targets::left_out(in.policy, in.table)) {
    note(TargetTextJob::tr("not compared, because the loss belongs to a run: %1").arg(QString::fromStdString(rule)));
  }
  if (run.scalers() > 1) {
    note(TargetTextJob::tr("the run has %1 loss scalers, and a target has one. None is in the text.")
             .arg(run.scalers()));
  }
}

TargetText makeText(const AssignedRun& run, const targets::Target& target, const QString& policy) {
  TargetText made;
  try {
    targets::refuse_foreign_policy(run.assignment(), policy.toStdString());
    targets::CheckedText checked = targets::checked_text(target, run.assignment());
    made.exact = checked.exact();
    made.proof = proofSentence(checked.proof);
    addFindings(made, checked.written, run);
    made.text = std::move(checked.written.text);
    addPreview(made);
  } catch (const Error& error) {
    made.problem = problemOf(error);
  } catch (const std::exception& error) {
    made.problem = Problem{TargetTextJob::tr("The text could not be made: %1.").arg(QString::fromUtf8(error.what()))};
  }
  return made;
}

}  // namespace

void TargetTextJob::start(std::shared_ptr<const AssignedRun> run, const targets::Target& target,
                          const QString& policy) {
  worker_.cancel();
  running_ = true;
  worker_.run([this, run = std::move(run), &target, policy](const Worker::Caller& caller) {
    if (!caller.isWaiting()) return;
    const auto made = std::make_shared<TargetText>(makeText(*run, target, policy));
    caller.post([this, made] {
      running_ = false;
      Q_EMIT finished(*made);
    });
  });
}

}  // namespace binade::app
