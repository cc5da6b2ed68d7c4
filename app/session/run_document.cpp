// SPDX-License-Identifier: Apache-2.0
#include "app/session/run_document.h"

#include "app/session/file_kind.h"
#include "app/session/write_file.h"
#include "engine/formats/error.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUndoCommand>

#include <exception>
#include <utility>

namespace binade::app {

/// One edit: the description before and after.
class RunCommand : public QUndoCommand {
 public:
  RunCommand(RunDocument* document, wire::RunConfig after, QString field, const QString& text)
      : QUndoCommand(text),
        document_(document),
        before_(document->config_),
        after_(std::move(after)),
        field_(std::move(field)) {}

  void undo() override { document_->apply(before_); }
  void redo() override { document_->apply(after_); }
  int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* later) override {
    const auto* edit = static_cast<const RunCommand*>(later);
    if (field_.isEmpty() || edit->field_ != field_) return false;
    after_ = edit->after_;
    setObsolete(after_ == before_);
    return true;
  }

 private:
  RunDocument* document_;
  wire::RunConfig before_;
  wire::RunConfig after_;
  QString field_;
};

RunDocument::RunDocument(QObject* parent) : QObject(parent) {}

wire::RunConfig RunDocument::complete() const {
  wire::RunConfig config = config_;
  const wire::DataConfig plain;
  wire::DataConfig& data = config.data;
  if (data.kind != "files") {
    data.files.clear();
    data.columns.clear();
    data.targets.clear();
    data.test = plain.test;
  }
  if (data.kind != "idx") {
    data.folder.clear();
    data.mean = plain.mean;
    data.deviation = plain.deviation;
  }
  if (data.kind != "synthetic") data.inputs.clear();
  if (data.kind == "synthetic") data.shuffle = plain.shuffle;
  wire::OptimizerConfig& optimizer = config.optimizer;
  if (optimizer.kind != "sgd") optimizer.nesterov = false;
  if (optimizer.kind != "sgd" && optimizer.kind != "adam" && optimizer.kind != "adamw") optimizer.fused = false;
  return config;
}

std::optional<Problem> RunDocument::problem() const {
  try {
    wire::RunConfig checked = complete();
    // An empty folder is valid here: starting the run chooses one next to its run file. The check wants any name.
    if (checked.checkpoint.folder.empty()) checked.checkpoint.folder = "checkpoints";
    wire::check(checked, "");
    return std::nullopt;
  } catch (const Error& error) {
    return problemOf(error);
  }
}

void RunDocument::adopt(const wire::RunConfig& config) {
  clean_ = config;
  unsaved_ = false;
  file_.clear();
  undo_.clear();
  apply(config);
}

void RunDocument::edit(const QString& text, const wire::RunConfig& after, const QString& field) {
  if (after == config_) return;
  wire::RunConfig edited = after;
  // An edited scaler counts as given, even if it equals the defaults.
  if (edited.scaler != config_.scaler)
    edited.scaler_given = edited.scalers.empty() && edited.scaler == wire::ScalerConfig{};
  if (!edited.scalers.empty()) edited.scaler_given = false;
  undo_.push(new RunCommand(this, edited, field, text));
}

void RunDocument::apply(const wire::RunConfig& config) {
  config_ = config;
  Q_EMIT changed();
}

void RunDocument::setFile(const QString& file) {
  file_ = file;
  clean_ = config_;
  unsaved_ = false;
  Q_EMIT changed();
  Q_EMIT settled();
}

void RunDocument::setUnsaved() {
  unsaved_ = true;
  Q_EMIT changed();
}

std::optional<Problem> RunDocument::save(const QString& file) {
  wire::RunConfig written = complete();
  // A run in the window keeps checkpoints next to its run file; a saved description must name a folder.
  if (written.checkpoint.every > 0 && written.checkpoint.folder.empty()) written.checkpoint.folder = "checkpoints";
  if (auto problem = writeFile(file, QByteArray::fromStdString(wire::to_json(written)),
                               tr("The run description could not be written to %1: %2.")))
    return problem;
  setFile(file);
  return std::nullopt;
}

RunDescription readRunDescription(const QString& file) {
  if (const auto problem = unreadable(file)) return {std::nullopt, *problem};
  QFile in(file);
  const QFileInfo info(file);
  if (!in.open(QIODevice::ReadOnly)) {
    return {std::nullopt,
            {RunDocument::tr("%1 could not be opened: %2.").arg(QDir::toNativeSeparators(file), in.errorString()), {}}};
  }
  try {
    return {
        wire::parse_run(in.readAll().toStdString(), info.fileName().toStdString(), info.absolutePath().toStdString()),
        {}};
  } catch (const Error& error) {
    return {std::nullopt, problemOf(error)};
  } catch (const std::exception& error) {
    return {std::nullopt,
            {RunDocument::tr("%1 could not be read: %2.").arg(info.fileName(), QString::fromUtf8(error.what())), {}}};
  }
}

}  // namespace binade::app
