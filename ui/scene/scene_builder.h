// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a scene; used only by scene*.cpp. Items are added back to front: frames and links, devices, what lies on them,
// what is in transit.
#pragma once

#include <QCoreApplication>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/strategy/strategy.h"
#include "ui/scene/scene.h"

namespace lab {

class SceneBuilder {
  friend class ZoomedReplica;
  Q_DECLARE_TR_FUNCTIONS(lab::SceneBuilder)

 public:
  explicit SceneBuilder(const SceneInput& input);
  Scene build();

 private:
  // scene.cpp
  void addTop();
  QStringList topFacts(const StrategyInfo& strategy) const;  // shown beside the strategy's name, the most important
                                                             // first
  bool addScales(const QRectF& line);
  void addCaption();
  void addFrames();

  // scene_beats.cpp
  double startUpEndsS() const;  // until then the clock stands at the step's beginning, and nothing is in transit
  QRectF addStepsGround();
  void addStartup();
  void addInput();
  QRectF chipPlace(const StageColumn& column, double width) const;
  void addLosses();
  void addEpoch();
  void addEvaluation();
  bool isAt(BeatKind kind) const;
  QRectF cardBox() const;  // for two lines: in the batch's place, or above the columns if that is taken
  void addCard(const Object& object, const QString& line, const QString& detail, bool warns = false);

  // scene_batch.cpp
  void addBatch();
  void addHandedOut(const QRectF& box);
  void addDigits();
  void addAnswer(const QRectF& box, int replica, std::size_t index);
  void addCoordinator();
  QRectF coordinatorBox() const;
  bool isMissed(int worker) const;  // true if the coordinator knows that the worker is dead
  void addHistogram();

  // scene_columns.cpp
  struct Header {
    QString name, hardware;
    double hardwarePx = 0;
    std::optional<QRectF> badge, hardwareBox;  // empty if there is no room
  };
  Header headerOf(const StageColumn& column) const;
  void addColumn(const StageColumn& column);
  bool waits(int replica) const;        // true if the replica has nothing to do until others are ready
  QString idleness(int replica) const;  // what a worker does while its layers rest; "" while they compute
  void addBrief(const StageColumn& column);
  void addIdleness(const StageColumn& column);
  void addTrayWords(const StageColumn& column);
  void addWaiting(const StageColumn& column);
  void addLayers(const StageColumn& column);
  void lightLayer(Item& item, const NetworkLayer& layer, int replica) const;
  double layerLabel(const StageColumn& column, const QRectF& box) const;
  // The right part of a layer's row, for the layer's output for the replica's first image; empty: no room.
  QRectF outputRoom(const StageColumn& column, const QRectF& box, double labelWidth) const;
  void addOutput(const StageColumn& column, const NetworkLayer& layer, const QRectF& room);
  void addLayerValues(Item& item, const NetworkLayer& layer, std::int64_t version, double labelWidth,
                      double outputWidth) const;
  void addLoss(const StageColumn& column, const QRectF& box, Qt::Alignment align = Qt::AlignCenter);
  Item& addBadge(const StageColumn& column, const QRectF& box);
  void addWeights(const StageColumn& column);
  void nameStrip(const StageColumn& column);
  QStringList stripNames(int replica) const;
  void addStrip(int replica);
  std::size_t endOfPicture(double stripWidth, std::size_t first) const;
  const std::vector<std::size_t>& picturesIn(double stripWidth);
  bool isCompared() const;  // true if the difference between the copies is shown
  void addCheck();

  // scene_equations.cpp
  struct EquationLine {
    QRectF label, picture;
  };
  struct Sum {  // gradients that are added at one place at one moment
    int endpoint = 0;
    BufferRange range;
    std::int64_t endNs = 0;
    bool adds = false;                   // otherwise they replace what was there
    double docked = 0, sunk = 0;         // 0 to 1
    std::vector<std::size_t> transfers;  // in the order of the transfers
  };
  enum class Reach { ToLoss, ToBuffer, OverBuffer };  // how far down an equation covers a replica
  QRectF equationGround(int endpoint, Reach reach) const;
  QRectF equationRoom(int endpoint, Reach reach = Reach::ToBuffer) const;
  QRectF stripOf(int endpoint) const;
  QRectF pieceOf(int endpoint, const BufferRange& range) const;
  std::vector<EquationLine> linesIn(const QRectF& room, std::size_t count, double most, bool closing) const;
  void addGround(int endpoint, const Object& object, double opacity, Reach reach);
  Item& addTerm(const QRectF& picture, const Values& values, const Object& object);
  void nameTerm(std::size_t term, const QRectF& label, const QStringList& forms, double opacity);
  Item& addVariables(const EquationLine& line, const Values& values, const Object& object, const QStringList& forms,
                     double opacity, bool edged = true);
  bool isWhole(const Contributions& of, int endpoint) const;
  QStringList contributorNames(const Contributions& of, int inSum) const;
  static constexpr double kDockAt = 0.6;     // the share of its way at which a piece turns towards its line
  bool docksAt(const Span& transfer) const;  // true if its destination shows equations
  bool hasEquation(int endpoint, const BufferRange& range) const;
  void findSums();
  void addSums();
  void addRest(int endpoint, std::size_t lines, double opacity);
  struct SumPlace {
    std::vector<EquationLine> lines;
    QRectF piece;  // the piece of the buffer
    bool alone = false;
    double docked = 0, words = 0;  // how far the terms have arrived; the opacity of the words
    QRectF picture(std::size_t line) const;
    QRectF label(std::size_t line) const;
  };
  void addSum(const Sum& sum, bool alone);
  void addEquals(const SumPlace& place, std::size_t count, int inSum);
  double updated(int endpoint) const;
  double shownDuring(BeatKind kind) const;
  void addChange();
  void addChain(int endpoint, double opacity);
  QStringList sumNames(int endpoint) const;
  QStringList wholeSum(int endpoint) const;
  QString colourScaleText(double scale) const;
  void addComparison();
  void addStaleCopies();
  std::vector<EquationLine> copyLines(int replica, Reach reach = Reach::OverBuffer) const;
  void addCopy(int replica, double opacity, bool laid);
  QStringList differenceWords(int replica, bool known) const;
  void addEdges(const QRectF& picture, const BufferRange& range, double opacity = 1, bool overhangs = false);
  void nameVariables(const StageColumn& column);

  // scene_servers.cpp
  QRectF serverRoom(const QRectF& box) const;  // the part of the box below its first line
  void addServers();
  QRectF addServer(const QRectF& box, const Object& object, BeatKind update, const QStringList& words);
  void addShelf(int server);
  void addCentral();
  QStringList centralNames() const;
  void nameCentral(const QRectF& line);

  // scene_transfers.cpp
  void addLinks();
  void addTransfers();
  void describe(Item& token, const Span& transfer) const;  // says whose gradients the token carries
  Values valuesOf(const Span& transfer, const QRectF& from) const;
  // Where a piece of the buffer lies on an endpoint: in a replica's strip, or in a server's box.
  QRectF place(int endpoint, const Span& transfer) const;
  QRectF placeOfSums(int endpoint, const Span& transfer) const;
  QPainterPath route(const QRectF& from, const QRectF& to, int fromEndpoint, int toEndpoint) const;

  // scene_faults.cpp
  bool isDead(int worker) const;
  bool isGone(int endpoint) const;  // true if the endpoint's task is dead
  QRectF boxOf(const DeadTask& dead) const;
  void addDead();
  void addLost();                     // marks on tasks that are dead
  QString absence(int worker) const;  // why a worker of a class is absent; "" if the worker is present
  void addAbsent();
  void addMark(const QRectF& box, double top, double height, const QStringList& forms);
  void breakLink(Item& link, bool deadAtFrom);
  void addBroken();
  void addClosures();
  double wayOf(std::int64_t ns, bool arrives) const;

  // ---- shared
  Item& add(Item::Shape shape, const QRectF& box, const Object& object = {});
  Item& text(const QRectF& box, const QString& words, double scale = 1, Qt::Alignment align = Qt::AlignCenter);
  Item& chip(const QRectF& box, const QString& words, const Object& object = {});
  bool isServer(int endpoint) const { return endpoint >= info_.replicas; }
  // The number of updates in the weights that the replica or server holds now; -1: no weights yet.
  std::int64_t versionOf(int endpoint) const;
  // The version whose values the replica's copy has; -1: not known, because its copy differs from the recorded one (a
  // broken copy before the update, or local steps since the last average).
  std::int64_t knownVersionOf(int replica) const;
  // The same, but -1 unless the replica has all of the weights.
  std::int64_t wholeVersionOf(int replica) const {
    return step_.partOfWeights(replica, ns_) < 1 ? -1 : knownVersionOf(replica);
  }
  // The picture of a range of an endpoint's buffer at this moment, for a box of this size; elements from `known` on are
  // not there yet. `server`: only the elements that this server holds; -1: all.
  Values gradientsIn(const QRectF& box, int endpoint, const BufferRange& range, std::int64_t known,
                     int server = -1) const;
  // What an endpoint does at this moment; nullptr while the movie still shows what precedes the computation.
  const Span* activity(int endpoint) const;
  bool isOnItsWay(const Span& transfer) const;
  bool coversWords(const QRectF& box) const;            // true if it covers a text or a version of weights in the scene
  void restNamesUnder(const QRectF& box, int replica);  // hides the layer names that a chip in this box would cover
  // Where a moment lies in a beat's motion, 0 to 1; 1 after it, 0 before it or where the step has no such beat.
  double progress(BeatKind kind) const;
  double cellEdge(std::int64_t offset) const;  // 0 to 1 along a strip
  QRectF partOf(const QRectF& strip, const BufferRange& range) const;
  bool isOfZeros(const Contributions& of) const { return withImages_.in(of) == 0; }
  QString voteText(int replica) const;  // "1/12"

  const SceneInput& input_;
  const RunInfo& info_;
  const StepIndex& step_;
  const StepRecord& record_;
  const StageLayout& layout_;
  const std::int64_t ns_;
  const double px_;
  bool asynchronous_;
  const int taking_;             // replicas that take part in the step
  const BaseStep* weightsBase_;  // the step whose weights can be compared with this one's; null: none
  Aggregation::State state_;
  const MarkedReplicas withImages_;
  // The replicas whose gradients are in a sum: those that came too late added zeros, and a class's sum may be made in
  // the place of an absent replica.
  const MarkedReplicas counted_;
  double pictureWidth_ = -1;                          // of the strips that pictureEnds_ is for
  std::vector<std::size_t> pictureEnds_;              // one past the last cell of each picture of a strip
  std::map<std::pair<int, int>, QRectF> layerBoxes_;  // by column and operation; for networks that exchange sums
  std::vector<Sum> sums_;                             // the additions that are shown
  struct Dock {
    QRectF line;
    double part = 0;  // the share of the way to the line, 0 to 1
  };
  std::map<std::size_t, Dock> docks_;  // the lines of equations where transfers end
  std::vector<QPointF> broken_;        // where links are broken
  Scene scene_;
};

// How many values are drawn in a box: squares of three pixels, which remain visible in a compressed film too. Empty if
// the box is too small for a picture.
QSize resolutionOf(const QRectF& box);
inline constexpr double kNarrowestPicture = 3;  // pixels wide

QRectF between(const QRectF& a, const QRectF& b, double t);
double easeInOut(double t);  // 0..1 to 0..1, slow at both ends

// Words are chosen without a painter, so this is their largest width in any of the usual fonts.
double widthOf(const QString& words, double fontPx, bool bold = false);
// Returns the first (longest) of these that fits into `width`, or the last if none fits.
QString longestThatFits(const QStringList& words, double width, double fontPx, bool bold = false);
// The font size for the name of weights, at most `largest`.
double weightsFontPx(const QString& name, const QSizeF& badge, bool disc, double largest);

}  // namespace lab
