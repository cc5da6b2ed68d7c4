// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "engine/wire/far_files.h"

#include <QObject>
#include <QSaveFile>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace binade::app {

class EngineClient;

/// Copies a run file of the engine's computer to this one, through the engine: the engine first makes a consistent copy
/// on its side, which then comes in parts. Also while a training writes the file. One at a time. GUI thread.
class FarCopy : public QObject {
  Q_OBJECT

 public:
  /// `engine` must outlive the object.
  explicit FarCopy(EngineClient* engine, QObject* parent = nullptr);
  ~FarCopy() override;

  bool isRunning() const { return out_ != nullptr; }
  /// The file that is copied; empty: none.
  QString file() const { return QString::fromStdString(file_); }
  /// Copies `file` of the engine's computer to `to`, which appears once it is complete. progress() and finished()
  /// follow. Does nothing if one is running.
  void start(const QString& file, const QString& to);
  /// Ends without a signal. Nothing is written.
  void cancel();

 Q_SIGNALS:
  /// `prepared`: the copy on the far side is complete. `share`: of the step that is in progress, 0 to 1. `size`: bytes
  /// in all, 0 before it is known.
  void progress(bool prepared, double share, qint64 size);
  /// `to` is there, or a problem.
  void finished(const QString& to, const std::optional<binade::app::Problem>& problem);

 private:
  void ask();
  void take(const wire::FilePart& part);
  void end(const std::optional<Problem>& problem);

  EngineClient* engine_;
  std::string file_;
  std::string copy_;
  std::int64_t received_ = 0;
  int turn_ = 0;  ///< answers to requests of an earlier turn are dropped
  std::unique_ptr<QSaveFile> out_;
};

}  // namespace binade::app
