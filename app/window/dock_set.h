// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>

class QMainWindow;
class QSettings;

namespace binade::views {
class StepAxis;
}

namespace binade::app {

class CastLedgerDock;
class ChangesDock;
class CheckpointsDock;
class ComparisonDock;
class ConfigurationDock;
class Dock;
class EditsDock;
class EventsDock;
class FigureDock;
class GradientsDock;
class GraphDock;
class HistoryDock;
class InspectorDock;
class LessonCourse;
class LessonDock;
class LogDock;
class NotesDock;
class NumbersDock;
class ProfileDock;
class QuantizedDock;
class QuestionsDock;
class RanksDock;
class ScaleDock;
class SearchDock;
class SecondRunDock;
class SeriesDock;
class Session;
class SilentDock;
class SitesDock;
class TensorDock;
class TryDock;
class WhatIfDock;

/// The docks of the window. Creates them as children of the window, and connects them with the session and with each
/// other. The window connects their requests for other parts, such as opening a file.
class DockSet : public QObject {
  Q_OBJECT

 public:
  /// `session`, `axis` and `course` must outlive the window.
  DockSet(Session* session, views::StepAxis* axis, LessonCourse* course, QMainWindow* window);

  /// All docks, in the order of the View menu.
  const QList<Dock*>& all() const { return all_; }

  ScaleDock* scale;
  SeriesDock* loss;
  GradientsDock* gradients;
  SitesDock* sites;
  EventsDock* events;
  CheckpointsDock* checkpoints;
  ConfigurationDock* configuration;
  QuestionsDock* questions;
  InspectorDock* inspector;
  ComparisonDock* comparison;
  QuantizedDock* quantized;
  WhatIfDock* what_if;
  CastLedgerDock* cast_ledger;
  TensorDock* tensor;
  ProfileDock* profile;
  RanksDock* ranks;
  GraphDock* graph;
  SilentDock* silent;
  TryDock* tries;
  HistoryDock* history;
  EditsDock* edits;
  ChangesDock* changes;
  NotesDock* notes;
  SearchDock* search;
  SecondRunDock* second_run;
  NumbersDock* numbers;
  LogDock* log;
  LessonDock* lesson;
  FigureDock* figure;

  /// Shows a dock, in front of the docks that are tabbed with it.
  static void raise(Dock* dock);
  /// What the user has set up in tables and in the number formats.
  void read(const QSettings& settings) const;
  void write(QSettings& settings) const;
  /// Hides the title bars of tabbed docks, after the pending events.
  void updateTabsLater() const;

 public Q_SLOTS:
  /// Requests a comparison of one step with float32, and shows the dock of its result.
  void compare();

 private:
  void makeDocks();
  void makeDiagnoseDocks();
  void makeLearnDocks(LessonCourse* course);
  void connectDocks();
  void connectQuestions();
  void connectDiagnoseDocks();
  void connectGraph();
  void connectTries();
  /// Enables the docks' buttons for Tries, or gives them the reason why nothing can be tried now.
  void allowTries();
  void connectHistory();
  void connectSearch();
  void connectSecondRun();
  void connectRanks();
  void updateTabs();
  void updateFormats();
  void showSite(int site);

  Session* session_;
  views::StepAxis* axis_;
  QMainWindow* window_;
  QList<Dock*> all_;
};

}  // namespace binade::app
