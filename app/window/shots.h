// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/picture_folder.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <cstdint>

namespace binade::wire {
struct ModelInfo;
}

namespace binade::app {

class AttachShots;
class MainWindow;
class Session;

/// Drives the demo automatically. Its pictures show what needs an engine; RunShots takes those of a recorded run. Waits
/// until the loss scale has skipped, backed off and grown, edits one op call, selects an event, compares a step with
/// float32, tries the edit, searches for a cheaper policy, profiles, and attaches to another training. Writes a PNG of
/// every arrangement in both themes, of each dock, of each lesson and of the start page, and prints the paths. Emits
/// finished() with the exit code: 1 after a time-out or a write error.
class Shots : public QObject {
  Q_OBJECT

 public:
  Shots(MainWindow* window, Session* session, const QString& folder);

  void start();

 Q_SIGNALS:
  void finished(int code);

 private:
  enum class Stage { kEngine, kRun, kEdit, kAfterEdit, kCompare, kBlocks, kTry, kSearch, kProfile, kEnd, kSetup };
  void advance();  ///< begins the next stage if the run has reached it
  // Actions of each stage, once the run has reached it.
  void startDemo();
  void edit();
  void takeTrained();
  void takeCompared();
  void measureBlocks();
  void takeBlocks();
  void tryEdit();
  void takeTried();
  void takeSearched();
  void profile();
  void takeProfiled();
  void inspectSample();

  void takeDocks();
  /// Saves the window, or a part of it, in both themes.
  void takeBoth(const QString& name, QWidget* part = nullptr);
  void takeDiagnose();
  void takeSetup(const wire::ModelInfo& model);
  /// Saves a refused model: its problem, the question whether to trust it, and that of an engine without confinement.
  void takeTrust();
  /// Saves each built-in lesson with its first figure.
  void takeLessons();
  void endRun();
  bool seenEverything() const;
  bool enough(std::int64_t steps, std::int64_t wanted, std::int64_t atLeast) const;
  void enter(Stage stage);
  void fail(const QString& why);
  void done(int code);
  void save(const QString& name, QWidget* widget);

  MainWindow* window_;
  Session* session_;
  PictureFolder folder_;
  AttachShots* attach_;
  QTimer timer_;
  QElapsedTimer elapsed_;
  Stage stage_ = Stage::kEngine;
  qint64 stage_began_ = 0;  ///< ms since start()
  std::int64_t edited_at_ = 0;
  bool failed_ = false;
};

}  // namespace binade::app
