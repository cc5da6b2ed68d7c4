// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

namespace binade::views {

/// Formats on which dragged op calls can be dropped, in as many lines as the width needs. The last target
/// removes the rules of the op calls, which then follow the base list. Meant to be shown while op calls are dragged.
class FormatTargets : public QWidget {
  Q_OBJECT

 public:
  explicit FormatTargets(QWidget* parent = nullptr);

  /// The MIME type of dragged op calls. Which op calls they are is known to the receiver of dropped().
  static QString mimeType();

  /// Names of formats, such as `float16`; the device emulates those in `emulated`.
  void setFormats(const QStringList& names, const QStringList& emulated);
  /// The target of a format in this widget's coordinates; for an empty name that of the base list.
  QRect target(const QString& name) const;

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;

 Q_SIGNALS:
  /// Op calls were dropped on a format; empty: they are to follow the base list.
  void dropped(const QString& format);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<QRect> places(int width) const;
  int targetAt(QPointF at) const;
  void setLit(int index);
  QString text(int index) const;

  QStringList names_;  ///< the last is empty: the base list
  QStringList emulated_;
  int lit_ = -1;  ///< index of the target under the dragged op calls; -1: none
};

}  // namespace binade::views
