// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/file_watch.h"

#include <QObject>

#include <functional>
#include <optional>

namespace binade::app {

class BannerQuestions;
class Session;

/// Tells the user when the file of the policy or of the run description was changed by another program or window, or
/// removed, and offers to reload it, to keep the window's version, or to save it again. Failures are problems of the
/// session.
class DocumentWatch : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive the object.
  DocumentWatch(Session* session, BannerQuestions* questions, QObject* parent = nullptr);

 private:
  /// Asks no longer about a file once the document has its content, or has another file.
  template <class Document, class Changed>
  void follow(Document* document, Changed changed, FileWatch* watch, const QString& id);
  void watchPolicy();
  void watchDescription();
  void askChanged(const QString& id, const QString& file, bool modified, const std::function<void()>& reload,
                  const std::function<void()>& keep);
  void askRemoved(const QString& id, const QString& file, const std::function<std::optional<Problem>()>& save,
                  const std::function<void()>& keep);
  void reloadDescription();
  void report(const std::optional<Problem>& failure);

  Session* session_;
  BannerQuestions* questions_;
  FileWatch policy_;
  FileWatch description_;
};

}  // namespace binade::app
