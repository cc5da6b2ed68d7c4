// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/picked_number.h"

#include <QDockWidget>
#include <QString>

class QLabel;

namespace binade::app {

/// Base class of the docks: a title bar of 28 px, which is hidden while the dock is tabbed (the tab shows its name).
/// `id` is the object name under which layouts are saved; it must never change.
class Dock : public QDockWidget {
  Q_OBJECT

 public:
  Dock(const QString& id, const QString& title, QWidget* parent = nullptr);

  /// Called by the window when docks were tabbed or separated.
  void setTabbed(bool tabbed);
  /// Removes the title bar permanently, for docks with self-explanatory content.
  void setBare();
  /// Shows a sentence in place of the content, which a student is to find out; empty: shows the content again. The
  /// content must have been set.
  void setCovered(const QString& why);
  bool isCovered() const { return cover_ != nullptr; }
  /// For docks whose content is made when it is first seen: an empty content until replaceContent(). Without any, Qt
  /// gives a dock without a title bar a negative height.
  void setEmptyContent();
  /// Deletes the content and takes ownership of another one.
  void replaceContent(QWidget* content);
  /// Changes title, tab and accessible name, for example to add a count.
  void setDockTitle(const QString& title);

 Q_SIGNALS:
  /// The user wants to look at a number of this dock, from a context menu.
  void numberRequested(const binade::views::PickedNumber& number);

 private:
  QWidget* makeTitleBar();

  bool bare_ = false;
  QWidget* title_bar_;
  QWidget* no_title_bar_;
  QLabel* title_ = nullptr;
  QLabel* cover_ = nullptr;     ///< null: not covered
  QWidget* content_ = nullptr;  ///< while covered
};

}  // namespace binade::app
